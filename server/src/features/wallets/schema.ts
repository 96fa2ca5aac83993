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
});

export interface EnrolDeviceInput {
  name: string;
  platform?: string;
  link_code?: string;
  recovery_code?: string;
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
  return issues;
}
