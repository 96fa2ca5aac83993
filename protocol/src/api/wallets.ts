import { DeviceSchema } from '../records/connect.ts';
import { nullableText, record, Type, time } from '../records/schema.ts';
import { AUTHORIZATION, input, name } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';
import { PendingChangeAnswer } from './pending-changes.ts';

const operation = operations({ tag: 'Wallet devices', credential: ['wallet'] });

export const DeviceAnswer = record('DeviceAnswer', 'One device.', { device: DeviceSchema });

export const enrolDevice = operation('enrolDevice', 'POST /v1/wallet-devices', {
  summary: 'Enrol a device: a new wallet, or one more device for an existing one',
  description:
    'Needs no account. With a link code or a recovery code the device joins the wallet that made it.',
  credential: [],
  limit: 'device_enrolment',
  body: input('EnrolInput', 'A device that is to be enrolled.', {
    name: name('Shown in the list of devices.'),
    platform: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'What it runs on, such as `ios`.' }),
    ),
    link_code: Type.Optional(Type.String({ description: 'From another device: joins its wallet.' })),
    recovery_code: Type.Optional(
      Type.String({ description: 'Joins the wallet whose devices are lost; it is replaced by a new one.' }),
    ),
    revoke_others: Type.Optional(
      Type.Boolean({
        description:
          'With recovery_code: ends every other device of the wallet in the same step, and cancels its pending changes.',
      }),
    ),
  }),
  status: 201,
  answer: record('EnrolAnswer', 'A freshly enrolled device.', {
    device: DeviceSchema,
    token: Type.String({ description: 'The device token, `svc_dt_…`. Shown once; store it as a secret.' }),
    recovery_code: nullableText(
      'Brings back the wallet when every device is lost. Shown once; null when the device joined with a link code, because the previous one stays valid.',
    ),
    other_devices: Type.Optional(
      Type.Array(DeviceSchema, {
        description:
          'After a recovery: the other devices that had a right until then, with their status now.',
      }),
    ),
  }),
  errors: ['link_invalid', 'risk_rejected'],
  example: { name: 'My phone', platform: 'ios' },
});

export const createLinkCode = operation('createLinkCode', 'POST /v1/wallet-devices/link-codes', {
  sdk: 'WalletDevices.createLinkCode',
  summary: 'Make a code with which another device can join this wallet',
  description: 'Show it on this device and type it into the other one.',
  status: 201,
  answer: record('LinkCode', 'A code with which another device joins the wallet.', {
    link_code: Type.String({ description: 'Works once. Shown once.' }),
    expires_at: time('When the code ends.'),
  }),
  errors: ['limit_reached'],
});

export const createRecoveryCode = operation('createRecoveryCode', 'POST /v1/wallet-devices/recovery-code', {
  summary: 'Make a new recovery code; the previous one ends',
  description:
    'The previous code is refused from then on. In a wallet with a decision key it needs an authorization; without one the change takes effect after 24 hours (202), and the same call by the same device then returns the code, once. Until then the previous code works.',
  body: input('RecoveryCodeInput', 'What allows a new recovery code.', { authorization: AUTHORIZATION }),
  status: 201,
  waits: PendingChangeAnswer,
  errors: ['decision_signature_invalid'],
  answer: record('RecoveryCode', 'A code that brings back the wallet.', {
    recovery_code: Type.String({ description: 'Shown once; the customer keeps it.' }),
  }),
});

export const listDevices = operation('listDevices', 'GET /v1/wallet-devices', {
  sdk: 'WalletDevices.list',
  summary: 'List the devices of the wallet',
  description: 'Devices that were revoked are listed too.',
  query: PAGE,
  answer: pageOf('DevicesPage', 'devices', DeviceSchema),
});

export const rotateDeviceToken = operation('rotateDeviceToken', 'POST /v1/wallet-devices/{id}/rotate-token', {
  summary: "Replace this device's own token",
  description: 'The previous token works until the new one is first used, ten minutes at most.',
  answer: record('DeviceWithToken', 'A device with its new token.', {
    device: DeviceSchema,
    token: Type.String({ description: '`svc_dt_…`; store it before anything else.' }),
  }),
  errors: ['token_rotated', 'token_revoked'],
});

export const deleteDevice = operation('deleteDevice', 'DELETE /v1/wallet-devices/{id}', {
  summary: 'Remove a device from the wallet',
  description:
    "Removing the last one revokes the wallet's connections. A device with a decision key needs an authorization; without one it is removed after 24 hours (202).",
  body: input('DeviceDeletion', 'What allows the removal of a device with a decision key.', {
    authorization: AUTHORIZATION,
  }),
  answer: DeviceAnswer,
  waits: PendingChangeAnswer,
  errors: ['token_revoked', 'decision_signature_invalid'],
});
