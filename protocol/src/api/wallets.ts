import { Type } from 'typebox';
import { DeviceSchema } from '../records/connect.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const EnrolDevice = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Shown in the list of devices.' }),
    platform: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    link_code: Type.Optional(Type.String({ description: 'From another device: joins its wallet.' })),
    recovery_code: Type.Optional(Type.String({ description: 'Joins the wallet whose devices are lost.' })),
    revoke_others: Type.Optional(
      Type.Boolean({
        description: 'With recovery_code: ends every other device of the wallet in the same step.',
      }),
    ),
  },
  { additionalProperties: false },
);

const EnrolDeviceAnswer = Type.Object({
  device: DeviceSchema,
  token: Type.String({ description: 'The device token, shown once.' }),
  recovery_code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Shown once; null when the device joined with a link code, because the former one stays valid.',
  }),
  other_devices: Type.Optional(
    Type.Array(DeviceSchema, {
      description: 'After a recovery: the other devices that had a right until then, with their status now.',
    }),
  ),
});

const tag = 'Wallet devices';

export const enrolDevice = operation({
  id: 'enrolDevice',
  method: 'POST',
  path: '/v1/wallet-devices',
  summary: 'Enrol a device: a new wallet, or one more device for an existing one',
  tag,
  credential: [],
  limit: 'device_enrolment',
  body: EnrolDevice,
  status: 201,
  answer: EnrolDeviceAnswer,
  errors: ['link_invalid', 'risk_rejected'],
});

export const createLinkCode = operation({
  id: 'createLinkCode',
  method: 'POST',
  path: '/v1/wallet-devices/link-codes',
  summary: 'Make a code with which another device can join this wallet',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  status: 201,
  answer: Type.Object({ link_code: Type.String(), expires_at: Type.String({ format: 'date-time' }) }),
  errors: ['limit_reached'],
});

export const createRecoveryCode = operation({
  id: 'createRecoveryCode',
  method: 'POST',
  path: '/v1/wallet-devices/recovery-code',
  summary: 'Make a new recovery code; the former one ends',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  status: 201,
  answer: Type.Object({ recovery_code: Type.String({ description: 'Shown once.' }) }),
});

export const listDevices = operation({
  id: 'listDevices',
  method: 'GET',
  path: '/v1/wallet-devices',
  summary: 'List the devices of the wallet',
  tag,
  credential: ['wallet'],
  limit: 'reads',
  query: Type.Object({ ...PAGE_QUERY }),
  answer: pageOf('devices', DeviceSchema),
});

export const rotateDeviceToken = operation({
  id: 'rotateDeviceToken',
  method: 'POST',
  path: '/v1/wallet-devices/{id}/rotate-token',
  summary: "Replace this device's own token",
  description: 'The former token works until the new one is first used, ten minutes at most.',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: Type.Object({ device: DeviceSchema, token: Type.String() }),
  errors: ['resource_not_found', 'token_rotated', 'token_revoked'],
});

export const deleteDevice = operation({
  id: 'deleteDevice',
  method: 'DELETE',
  path: '/v1/wallet-devices/{id}',
  summary: 'Remove a device from the wallet',
  description: "Removing the last one revokes the wallet's connections.",
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: Type.Object({ device: DeviceSchema }),
  errors: ['resource_not_found', 'token_revoked'],
});
