import type { Issue } from '@payassent/protocol';
import { nameIssues, textRiskIssues } from '../agents/text.ts';

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
      message: 'revoke_others can be sent only with recovery_code; otherwise delete devices one by one.',
    });
  }
  return issues;
}
