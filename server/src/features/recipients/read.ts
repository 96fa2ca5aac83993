import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { selectRecipient } from './sql.ts';
import { selectVersions } from './version-sql.ts';
import type { RecipientRow, VersionRow } from './view.ts';

export { listRecipients } from './sql.ts';

export async function readRecipient(
  db: Sql,
  merchantId: string,
  recipientId: string,
): Promise<{ recipient: RecipientRow; versions: VersionRow[] }> {
  const recipient = await selectRecipient(db, merchantId, recipientId);
  if (!recipient) throw notFound();
  return { recipient, versions: await selectVersions(db, merchantId, recipientId) };
}
