/** The schema of the copies that a merchant's node has of the tables below, on a distributed database. */
export const MIRROR = 'mirror';

/** Ordinary tables of the coordinator; each merchant's node has a copy of the merchant's rows. */
export const MIRRORED = [
  'merchants',
  'agents',
  'connections',
  'recipients',
  'recipient_versions',
  'recipient_evidence',
  'recipient_recalls',
] as const;
