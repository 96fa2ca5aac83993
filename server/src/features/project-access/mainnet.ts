import {
  MAINNET_WORDS,
  NETWORK_TABLE,
  NETWORKS,
  networksOfRail,
  RAILS,
  SECOND_SURFACE_NETWORK,
} from '@payassent/protocol';
import { AppError } from '../../errors.ts';

/** Members that name a network or an environment, after lower-casing and dropping everything but letters and digits. */
const NAMING = new Set([
  'network',
  'networks',
  'networkid',
  'networkname',
  'chain',
  'blockchain',
  'environment',
  'env',
]);
const MAINNETS: ReadonlySet<string> = new Set([
  ...MAINNET_WORDS,
  ...NETWORKS.filter((network) => network !== SECOND_SURFACE_NETWORK),
]);
/** As part of a name these mean mainnet too (`stellar_mainnet`, `mainnet-beta`); `pre-production` is no production. */
const MAINNET_PARTS: ReadonlySet<string> = new Set(MAINNET_WORDS.filter((word) => word !== 'production'));
/** A rail or a chain id implies its network. */
const MAINNET_RAILS: ReadonlySet<string> = new Set(
  RAILS.filter((rail) => !networksOfRail(rail).includes(SECOND_SURFACE_NETWORK)),
);
const MAINNET_CHAIN_IDS: ReadonlySet<string> = new Set(
  NETWORK_TABLE.flatMap((row) =>
    row.chainId === undefined || row.network === SECOND_SURFACE_NETWORK ? [] : [String(row.chainId)],
  ),
);

export function isMainnetName(text: string): boolean {
  const name = text.trim().toLowerCase();
  return MAINNETS.has(name) || name.split(/[^a-z0-9]+/).some((part) => MAINNET_PARTS.has(part));
}

/** Throws when body or query name a mainnet anywhere, however invalid the rest of them is. */
export function refuseNamedMainnet(...parts: readonly unknown[]): void {
  for (const part of parts) {
    const place = findMainnet(part, '', undefined);
    if (place !== undefined) throw mainnetRefusal(place);
  }
}

export function mainnetRefusal(field: string): AppError {
  return new AppError('phase_0_mainnet_disabled', {
    message: `${field} names or implies a mainnet. Agent payments and automation policies work on ${SECOND_SURFACE_NETWORK} only.`,
    details: { field },
  });
}

type Topic = 'name' | 'rail' | 'chain_id';

/** The path of the first value that names a mainnet. Lists and objects below a naming member count as its value. */
function findMainnet(value: unknown, path: string, topic: Topic | undefined): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findMainnet(item, `${path}[${index}]`, topic);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const found = findMainnet(member, path === '' ? name : `${path}.${name}`, topicOf(name) ?? topic);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isMainnetValue(value, topic) ? path : undefined;
}

function topicOf(name: string): Topic | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (NAMING.has(plain)) return 'name';
  if (plain === 'rail') return 'rail';
  return plain === 'chainid' ? 'chain_id' : undefined;
}

function isMainnetValue(value: unknown, topic: Topic | undefined): boolean {
  if (topic === undefined || (typeof value !== 'string' && typeof value !== 'number')) return false;
  const text = String(value).trim().toLowerCase();
  if (topic === 'rail') return MAINNET_RAILS.has(text);
  return topic === 'chain_id' ? MAINNET_CHAIN_IDS.has(text) : isMainnetName(text);
}
