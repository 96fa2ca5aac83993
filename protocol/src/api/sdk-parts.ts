/**
 * The parts of the SDK's clients whose methods are written from the operations, by the file they are written to, each
 * with what it is for. A part without a text has a class of the same name in the SDK, which extends what is written.
 */
export const SDK_PARTS = {
  agent: {
    AgentConnections: '',
  },
  'agent-payments': {
    AgentPayments: '',
    AutomationPolicies:
      'Automation policies. Only the customer can make one active. Every method returns the `data` of the response.',
  },
  connection: {
    ConnectionAgentPayments: '',
    ConnectionPayees: 'The payees that the agent may request payments to.',
    ConnectionPaymentRequests: '',
  },
  merchant: {
    MerchantAccess: 'API keys and admin sessions for the second surface.',
    MerchantAgents: '',
    MerchantApprovals: 'Changes that wait for a second owner, where the organization requires one.',
    MerchantAudit: 'Every act that changed a right or a secret.',
    MerchantConnections: "Customers that are connected to the organization's agents.",
    MerchantCredentials: '',
    MerchantDeliveries: 'Attempts to deliver webhooks; never bodies or secrets.',
    MerchantDomains: 'Domains and their proofs.',
    MerchantOperators: 'The people who work for the organization. Changes are for owners.',
    MerchantOrganization: 'The organization of the session.',
    MerchantPasskeys:
      'Passkeys of the operator who is signed in. Once one is effective, calls that matter need its use.',
    MerchantPaymentRequests: "The organization's payment requests, read only.",
    MerchantRecipients: 'Payees and their versions.',
    MerchantSessions: '',
    MerchantWebhooks: '',
  },
  wallet: {
    WalletAudit:
      'Every act that changed a right or a secret of this wallet: devices, codes, connections, policies.',
    WalletConnectKeys: 'One-time keys that let an agent request a connection. A key is no approval.',
    WalletConnections: '',
    WalletDevices: '',
    WalletInvitations:
      "Invitations on the wallet's Connect Keys. Show agent, merchant, verified domain and scopes before deciding.",
    WalletPairing: '',
    WalletPaymentRequests: '',
    WalletPendingChanges: '',
  },
} as const satisfies Record<string, Record<string, string>>;

type Files = typeof SDK_PARTS;
type PartName = { [File in keyof Files]: keyof Files[File] & string }[keyof Files];
/** A method of the SDK: `MerchantAgents.create`. */
export type SdkMethod = `${PartName}.${string}`;
