import type { Issue } from '@countersign/protocol';
import { DeviceSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { nameIssues, textRiskIssues } from '../agents/text.ts';

export const EnrolDevice = Type.Object(
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

export const EnrolDeviceAnswer = Type.Object({
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

export interface EnrolDeviceInput {
  name: string;
  platform?: string;
  link_code?: string;
  recovery_code?: string;
  revoke_others?: boolean;
}

export function checkEnrolDevice(body: Partial<EnrolDeviceInput>): Issue[] {
  const issues = [...nameIssues(body.name), ...textRiskIssues(body.platform, 'platform')];
  if (body.link_code !== undefined && body.recovery_code !== undefined) {
    issues.push({
      field: 'recovery_code',
      code: 'invalid_format',
      message: 'Send either link_code or recovery_code, not both.',
    });
  }
  if (body.revoke_others === true && body.recovery_code === undefined) {
    issues.push({
      field: 'revoke_others',
      code: 'invalid_format',
      message: 'revoke_others goes with recovery_code only; otherwise delete devices one by one.',
    });
  }
  return issues;
}
