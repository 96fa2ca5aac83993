export {
  type MailCatcher as TestSmtpServer,
  startMailCatcher as startSmtpServer,
} from '@payassent/world';
