import { DOMAIN_METHODS, EVIDENCE_TYPES, MEMO_POLICIES, NETWORKS } from '../enumerations.ts';
import { EvidenceSchema, RecipientSchema, RecipientVersionSchema } from '../records/merchant.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { input, partyName, VERSION } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';

const operation = operations({ tag: 'Recipients', credential: ['merchant'] });

/** What a merchant states about a payee; rail, and what else follows from the network, is derived. */
const facts = {
  network: oneOf(NETWORKS, 'The network on which it is paid.'),
  asset: Type.String({ minLength: 1, description: 'The native symbol, such as XLM, or a token.' }),
  address: Type.String({ minLength: 1, description: 'Checked with the checksum of its network.' }),
  memo: Type.Optional(
    Type.String({ description: 'Memo, destination tag or comment, as the network has it.' }),
  ),
  memo_policy: Type.Optional(
    oneOf(
      MEMO_POLICIES,
      '`fixed` when absent: every payment carries `memo`, or none. `request`: each request gets a separate memo, so that no payment can be taken for another; not together with `memo`.',
    ),
  ),
  contract: Type.Optional(Type.String({ description: 'Token contract, on EVM networks.' })),
  issuer: Type.Optional(Type.String({ description: 'Issuing account, on Stellar for every asset but XLM.' })),
  decimals: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Needed for ERC-20 tokens; otherwise known.' }),
  ),
  chain_id: Type.Optional(Type.Integer({ minimum: 0, description: 'When sent, it must be the network’s.' })),
};

const pending = Type.Optional(
  oneOf(
    ['keep', 'reject'],
    'What becomes of requests to this payee that await a decision: kept when absent; rejected with the reason payee_recalled.',
  ),
);

const CHANGE_ERRORS = ['resource_not_found', 'version_conflict', 'recipient_not_active'] as const;

const RecipientWithVersion = record('RecipientWithVersion', 'A payee with one of its versions.', {
  recipient: RecipientSchema,
  recipient_version: RecipientVersionSchema,
});

const NewEvidence = Type.Object(
  {
    ...EvidenceSchema.properties,
    domain: Type.String({ description: 'The domain that vouches.' }),
    method: oneOf(DOMAIN_METHODS, 'Where its proof was found.'),
  },
  { title: 'NewEvidence', description: 'A payee proof with the result of the query.' },
);

export const createRecipient = operation('createRecipient', 'POST /v1/recipients', {
  sdk: 'MerchantRecipients.create',
  summary: 'Create a Recipient with its first version',
  description:
    'The rail, and what follows from network and asset, is derived; the address is checked with its checksum. Nothing can be paid to it before a version is verified and activated.',
  body: input('RecipientInput', 'A new payee.', {
    name: partyName('What wallets show as the payee.'),
    ...facts,
  }),
  errors: ['risk_rejected'],
  status: 201,
  answer: RecipientWithVersion,
  example: {
    name: 'Example Shop, till 1',
    network: 'stellar_testnet',
    asset: 'XLM',
    address: 'GAIH3ULLFQ4DGSECF2AR555KZ4KNDGEKN4AFI4SU2M7B43MGK3QJZNSR',
    memo: '1001',
  },
});

export const listRecipients = operation('listRecipients', 'GET /v1/recipients', {
  sdk: 'MerchantRecipients.list',
  summary: 'List the Recipients of this organization, newest first',
  description: 'Archived ones are listed too.',
  query: PAGE,
  answer: pageOf('RecipientsPage', 'recipients', RecipientSchema),
});

export const getRecipient = operation('getRecipient', 'GET /v1/recipients/{id}', {
  sdk: 'MerchantRecipients.get',
  summary: 'Read a Recipient with all its versions, newest first',
  description: 'Versions never change; `status` marks the active one.',
  answer: record('RecipientWithVersions', 'A payee with all of its versions.', {
    recipient: RecipientSchema,
    recipient_versions: Type.Array(RecipientVersionSchema, { description: 'Newest first.' }),
  }),
});

export const updateRecipient = operation('updateRecipient', 'PATCH /v1/recipients/{id}', {
  sdk: 'MerchantRecipients.update',
  summary: 'Change the label of a Recipient, or archive it for good',
  description: 'The label is for the portal only. Archived is final: nothing can be paid to it any more.',
  body: input('RecipientChange', 'A change of the label, or the end of a payee.', {
    name: Type.Optional(partyName('The label; versions keep theirs.')),
    status: Type.Optional(oneOf(['archived'], 'Final.')),
    pending,
    version: VERSION,
  }),
  errors: ['version_conflict', 'recipient_not_active', 'risk_rejected'],
  answer: record('RecipientAnswer', 'One payee.', { recipient: RecipientSchema }),
  example: { name: 'Till 1', version: 1 },
});

export const rejectPendingRequests = operation(
  'rejectPendingRequests',
  'POST /v1/recipients/{id}/reject-pending',
  {
    sdk: 'MerchantRecipients.rejectPending',
    summary: 'Take back every request to this payee that awaits a decision',
    description:
      'They are rejected immediately with the reason payee_recalled; agent payments likewise. `rejected` counts the payment requests. What was signed stays. To see them first, list payment requests by recipient_id and status.',
    answer: record('RecalledRecipient', 'What a recall has taken back.', {
      recipient: RecipientSchema,
      rejected: Type.Integer({ minimum: 0, description: 'How many payment requests it has rejected.' }),
    }),
  },
);

export const addRecipientVersion = operation('addRecipientVersion', 'POST /v1/recipients/{id}/versions', {
  sdk: 'MerchantRecipients.addVersion',
  summary: 'Add a version with other facts',
  description: 'The active version stays active until this one is verified and activated.',
  body: input('RecipientVersionInput', 'Other facts for a payee.', { ...facts, version: VERSION }),
  errors: [...CHANGE_ERRORS, 'limit_reached', 'risk_rejected'],
  status: 201,
  answer: RecipientWithVersion,
  example: {
    network: 'stellar_testnet',
    asset: 'XLM',
    address: 'GAIH3ULLFQ4DGSECF2AR555KZ4KNDGEKN4AFI4SU2M7B43MGK3QJZNSR',
    version: 1,
  },
});

export const verifyRecipientVersion = operation('verifyRecipientVersion', 'POST /v1/recipients/{id}/verify', {
  sdk: 'MerchantRecipients.verify',
  summary: 'Make the payee proof of a version: the domain is queried now',
  description:
    'The evidence is valid for 24 hours. When the domain also publishes the version’s payee_record, at _svc-payee.<domain> or in /.well-known/svc-payees.txt, its binding is payee, otherwise domain. Its digest is over the version’s facts, domain, method, created_at, type and, when it is payee, the binding.',
  body: input('VerifyRecipientInput', 'Which version is proved by which domain.', {
    recipient_version_id: Type.String({ description: 'The version to verify.' }),
    type: oneOf(EVIDENCE_TYPES, 'What kind of proof it is.'),
    source_id: Type.String({ description: 'A verified domain of this organization.' }),
    version: VERSION,
  }),
  errors: [...CHANGE_ERRORS, 'domain_not_verified', 'domain_proof_failed', 'invalid_status_transition'],
  answer: record('VerifiedRecipient', 'Fresh evidence for a version.', {
    evidence: NewEvidence,
    ...RecipientWithVersion.properties,
  }),
  example: {
    recipient_version_id: 'rcv_01JC8Z6S410000000000000000',
    type: 'domain_proof',
    source_id: 'dom_01JC8Z6S410000000000000000',
    version: 1,
  },
});

export const activateRecipientVersion = operation(
  'activateRecipientVersion',
  'POST /v1/recipients/{id}/versions/{recipient_version_id}/activate',
  {
    sdk: 'MerchantRecipients.activate',
    summary: 'Activate a verified version; the previous active one is superseded',
    description:
      'From this moment on new requests use this version. Requests that exist keep the version they pinned. Where the service guards changed payees, other payment details than the active ones, or the name of an earlier Recipient, need a passkey that has been effective for a day, or a payee record in the DNS of the domain; otherwise a second owner approves (202), or it is refused with step_up_required and `details.ways`.',
    body: input('ActivateVersionInput', 'The evidence on which a version is activated.', {
      evidence_id: Type.String({ description: 'The evidence, `evd_…`.' }),
      evidence_digest: Type.String({ description: 'As it came with the evidence.' }),
      pending,
      version: VERSION,
    }),
    errors: [
      ...CHANGE_ERRORS,
      'evidence_mismatch',
      'evidence_expired',
      'domain_not_verified',
      'domain_proof_failed',
      'network_not_enabled',
      'invalid_status_transition',
    ],
    answer: RecipientWithVersion,
  },
);
