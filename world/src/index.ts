export { DEV_PORTS, type DevWorld, type DevWorldOptions, startDevWorld } from './dev/dev-world.ts';
export * from './dns-server.ts';
export { freePort, refuseTakenPort } from './free-port.ts';
export {
  type MailCatcher,
  type MailCatcherOptions,
  type ReceivedMail,
  type SmtpFault,
  startMailCatcher,
} from './mail-catcher.ts';
export {
  type ServiceOptions,
  type ServiceProcess,
  type SpawnedService,
  type SpawnOptions,
  spawnService,
  startServiceProcess,
} from './service-process.ts';
export {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver.ts';
export { startWorld, type World, type WorldOptions } from './world.ts';
