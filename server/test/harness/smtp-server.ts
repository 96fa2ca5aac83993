export {
  type MailCatcher as TestSmtpServer,
  type MailCatcherOptions as SmtpServerOptions,
  type ReceivedMail,
  type SmtpFault,
  startMailCatcher as startSmtpServer,
} from '@payassent/world';
