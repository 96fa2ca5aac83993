/** Descriptions of the `{names}` in paths, by the preceding segment. */
const BY_SEGMENT: Readonly<Record<string, string>> = {
  'agent-payments': 'The agent payment, `ap_…`.',
  agents: 'The agent, `agt_…`.',
  'api-keys': 'The API key, `key_…`.',
  approvals: 'The approval, `apr_…`.',
  'automation-policies': 'The policy, `pol_…`.',
  'connect-invitations': 'The invitation, `inv_…`.',
  'connect-keys': 'The Connect Key, `cky_…`.',
  connections: 'The connection, `con_…`.',
  credentials: 'The credential, `crd_…`.',
  'merchant-domains': 'The domain, `dom_…`.',
  'merchant-operators': 'The operator, `acc_…`.',
  'merchant-passkeys': 'The passkey, `psk_…`.',
  'merchant-sessions': 'The session, `ses_…`.',
  payees: 'The Recipient, `rcp_…`.',
  'payment-requests': 'The payment request: its request_id.',
  'pending-changes': 'The change, `chg_…`.',
  recipients: 'The Recipient, `rcp_…`.',
  sessions: 'The pairing session, `pair_…`.',
  'transaction-contexts': 'The transaction context: its transaction_id.',
  versions: 'The version, `rcv_…`.',
  'wallet-devices': 'The device, `dev_…`.',
  'webhook-deliveries': 'The delivery, `whd_…`.',
  'webhook-endpoints': 'The endpoint, `whe_…`.',
};

interface PathParameter {
  name: string;
  description: string;
}

/** The parameters of a path with their descriptions. */
export function pathParameters(path: string): PathParameter[] {
  return [...path.matchAll(/\/([^/{}]+)\/\{(\w+)\}/g)].map(([, segment = '', name = '']) => {
    const description = BY_SEGMENT[segment];
    if (description === undefined) throw new Error(`${path}: {${name}} has no description`);
    return { name, description };
  });
}
