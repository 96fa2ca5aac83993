import type { Issue } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { timeIssues } from '../../payments/index.ts';
import { mismatchIssues, peekRecipient } from '../automation-policies/destination.ts';
import { readConnection } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { FACT_FIELDS, foreignAddressIssues } from './checks.ts';

/**
 * Issues that need the current time or the payee, for a body that is rejected anyway: the caller should get all issues
 * in one response. Any member may be missing or of any type; whatever cannot be found is skipped.
 */
export async function laterIssues(
  sql: Sql,
  act: Act,
  caller: ProjectCaller,
  body: Readonly<Record<string, unknown>>,
  key: string | undefined,
  found: readonly Issue[],
): Promise<Issue[]> {
  const isSound = (field: string) => !found.some((issue) => issue.field === field);
  const issues = isSound('expires_at') ? timeIssues(body, act.now) : [];
  const metadata = isObject(body['metadata']) ? body['metadata'] : undefined;
  const { to, recipient_id: recipientId, network, asset } = body;
  if (typeof recipientId !== 'string') {
    const isAddress = typeof to === 'string' && recipientId === undefined && isSound('to');
    return isAddress ? [...issues, ...foreignAddressIssues(metadata, key, { address: to })] : issues;
  }
  const merchantId = await merchantOf(sql, caller, body['connection_id']);
  const facts = merchantId === undefined ? undefined : await peekRecipient(sql, merchantId, recipientId);
  if (!facts) return issues;
  const said = {
    ...(isSound('network') ? { network } : {}),
    ...(isSound('asset') ? { asset } : {}),
  };
  return [
    ...issues,
    ...mismatchIssues(facts, said, FACT_FIELDS),
    ...foreignAddressIssues(metadata, key, facts),
  ];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

async function merchantOf(
  sql: Sql,
  caller: ProjectCaller,
  connectionId: unknown,
): Promise<string | undefined> {
  if (caller.principal.kind !== 'wallet') return caller.principal.merchantId;
  if (typeof connectionId !== 'string') return undefined;
  try {
    return (await readConnection(sql, caller, connectionId)).merchant_id;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
