/** The schema of the copies that a merchant's machine has of the tables below, on a distributed database. */
export const MIRROR = 'mirror';

/** Ordinary tables of the coordinator, of which each merchant's machine has a copy of the merchant's own rows. */
export const MIRRORED = [
  'merchants',
  'agents',
  'connections',
  'recipients',
  'recipient_versions',
  'recipient_evidence',
  'recipient_recalls',
] as const;
