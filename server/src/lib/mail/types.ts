export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Resolves when the mail is handed over for good; `location` says where, for the console and the log. */
  send(mail: Mail): Promise<{ location: string }>;
  close(): Promise<void>;
  /** Where mail goes, in words, without secrets. */
  description: string;
}
