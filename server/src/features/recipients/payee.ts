import { type DerivedFacts, deriveFacts, findNameIssues, type Issue, isNetwork } from '@payassent/protocol';
import { invalid } from '../../errors.ts';
import { foreignAddresses, misleadingText } from '../merchants/misleading-text.ts';
import type { RecipientInput } from './schema.ts';

type StatedFacts = Omit<RecipientInput, 'name'>;

/** These decide together which rail an asset takes: when one is unreadable, nothing can be said about the others. */
const ASSET_FIELDS = ['asset', 'contract', 'issuer', 'decimals'];

/**
 * The complete facts of a payee, or a refusal that lists every problem at once: those that the schema found, those of
 * the facts among themselves, and texts that could mislead anyone who approves a payment.
 */
export function derivePayee(stated: StatedFacts & { name?: string }, found: readonly Issue[]): DerivedFacts {
  const unsound = new Set(found.map((issue) => /^[^.[]+/.exec(issue.field)?.[0] ?? ''));
  const sound: Partial<StatedFacts & { name: string }> = Object.fromEntries(
    Object.entries(stated).filter(([member]) => !unsound.has(member)),
  );
  const derived = deriveFacts({
    ...sound,
    network: sound.network ?? '',
    asset: sound.asset ?? '',
    address: sound.address ?? '',
  });
  const allowed = derived.ok ? derived.facts : sound;
  const issues = [
    ...found,
    ...(derived.ok ? [] : derived.issues.filter((issue) => isFounded(issue, unsound, sound))),
    ...findNameIssues(sound.name, 'name'),
    ...misleadingText(sound.name, 'name', allowed),
    ...misleadingText(sound.memo, 'memo', allowed),
    ...foreignAddresses(sound.asset, 'asset', allowed),
  ];
  if (issues.length > 0 || !derived.ok) throw invalid(issues);
  return derived.facts;
}

/** Drops what deriving says only because a member was left out of it. */
function isFounded(issue: Issue, unsound: ReadonlySet<string>, sound: Partial<StatedFacts>): boolean {
  if (!isNetwork(sound.network) || unsound.has(issue.field)) return false;
  return !(ASSET_FIELDS.includes(issue.field) && ASSET_FIELDS.some((field) => unsound.has(field)));
}
