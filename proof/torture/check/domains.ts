import type { Body } from '../../stage/service/client.ts';
import type { Attempt } from '../run/history.ts';
import { finding, type Invariant, succeeded } from './evidence.ts';
import type { Row } from './tables.ts';

const DOMAIN_CALL = /^\/v1\/merchant-domains\/([^/]+)(\/verify)?$/;
/** No one has decided yet. */
const OPEN: ReadonlySet<string> = new Set(['pending', 'intent_created']);

/**
 * No payee is shown as verified under a domain that is not: from the first response that reports a domain as lost, no
 * open payment to a payee of its previous owner names it as verified, and none is created. In the end every version
 * that depends on a lost domain is marked.
 */
const noPayeeUnderALostDomain: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const lostAt = lossesTold(attempts, tables.domains);
  const merchantOf = new Map(
    tables.recipient_versions.map((row) => [row.recipient_version_id, row.merchant_id]),
  );
  for (const attempt of attempts) {
    if (!succeeded(attempt)) continue;
    for (const { payee, status } of recordsIn(attempt.answer?.body)) {
      if (!payee?.domain || !OPEN.has(status)) continue;
      const since = lostAt.get(`${merchantOf.get(payee.recipient_version_id)} ${payee.domain}`);
      if (since === undefined || attempt.at <= since) continue;
      result.expect(
        payee.verified !== true,
        () =>
          `call ${attempt.n} shows ${payee.recipient_version_id} verified by ${payee.domain}, which was lost`,
      );
    }
  }
  const domains = new Map(tables.domains.map((row) => [row.domain_id, row]));
  const sources = new Map(tables.recipient_evidence.map((row) => [row.evidence_id, row.source_id]));
  for (const version of tables.recipient_versions) {
    if (version.evidence_id === null) continue;
    const domain = domains.get(sources.get(version.evidence_id) ?? '');
    const stands = domain?.status === 'verified' && domain.deleted_at === null;
    result.expect(
      stands || version.suspended_at !== null,
      () => `${version.recipient_version_id} depends on ${domain?.domain}, which is lost`,
    );
  }
  return result;
};

/** The time of the first response that implies that this merchant has lost this domain. */
function lossesTold(attempts: readonly Attempt[], domains: readonly Row<'domains'>[]): Map<string, number> {
  const rows = new Map(domains.map((row) => [row.domain_id, row]));
  const lostAt = new Map<string, number>();
  const note = (row: Row<'domains'>, at: number) => {
    const name = `${row.merchant_id} ${row.domain}`;
    lostAt.set(name, Math.min(at, lostAt.get(name) ?? at));
  };
  for (const attempt of attempts) {
    const [, domainId = '', isProof] = DOMAIN_CALL.exec(attempt.path) ?? [];
    const row = rows.get(domainId);
    if (!row || !succeeded(attempt) || !attempt.answer) continue;
    if (attempt.method === 'DELETE') note(row, attempt.answer.at);
    if (attempt.method === 'POST' && isProof) {
      for (const other of domains)
        if (
          other.domain === row.domain &&
          other.merchant_id !== row.merchant_id &&
          other.status !== 'pending'
        )
          note(other, attempt.answer.at);
    }
  }
  return lostAt;
}

function recordsIn(body: Body): Body[] {
  return [
    body?.payment_request,
    ...(body?.payment_requests ?? []),
    body?.data,
    ...(body?.data?.items ?? []),
  ].filter((record) => record?.payee !== undefined && record.payee !== null);
}

export const DOMAIN_RULES = {
  'no payee is shown verified under a domain that is not': noPayeeUnderALostDomain,
};
