import { AgentPayments } from '../agent-payments/payments.ts';
import type { ContextAnswer, ContextQuery, EnrolAnswer, EnrolInput } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { checkedId } from '../core/checks.ts';
import type { RateLimit } from '../core/rate-limits.ts';
import { type ClientOptions, resolveSettings } from '../core/settings.ts';
import { checkedStore, type Store } from '../core/store.ts';
import { AutomationPolicies } from '../generated/agent-payments.ts';
import { WalletAudit, WalletConnectKeys, WalletInvitations } from '../generated/wallet.ts';
import { enrolDevice, getTransactionContext } from '../operations.ts';
import { WalletConnections } from './connections.ts';
import type { KeySigner } from './decisions.ts';
import { type DeviceCredential, deviceCredential, WalletDevices } from './devices.ts';
import { WalletPairing } from './pairing.ts';
import { WalletPaymentRequests } from './payment-requests.ts';
import { WalletPendingChanges } from './pending-changes.ts';

/** What a wallet app needs. */
export interface WalletClientOptions extends ClientOptions {
  /** `svc_dt_…`, from the enrolment or the last rotation. Sent as a bearer, so that it never stands in an address. */
  deviceToken: string;
  /** `dev_…`; needed only to rotate this device's own token. */
  deviceId?: string;
  /**
   * The decision key of this device, once the service knows it: changes of the wallet's keys are authorized with it and
   * take effect immediately.
   */
  signer?: KeySigner;
  /** Remembers keys of human-initiated agent payments over restarts. */
  store?: Store;
}

/** A freshly enrolled device. */
export interface Enrolled extends EnrolAnswer {
  /** Acts as this device. */
  client: WalletClient;
}

/**
 * A wallet app on one device: it connects agents, shows what they ask for, and reports what the user decided. Keys that
 * sign payments never come near it.
 */
export class WalletClient {
  /** The wallet's devices. */
  readonly devices: WalletDevices;
  /** Changes of the wallet's keys that wait. */
  readonly pendingChanges: WalletPendingChanges;
  /** One-time keys that the user hands to agents. */
  readonly connectKeys: WalletConnectKeys;
  /** What agents who claimed a key ask for. */
  readonly invitations: WalletInvitations;
  /** Pairing by a short code. */
  readonly pairing: WalletPairing;
  /** Agents that are connected. */
  readonly connections: WalletConnections;
  /** The inbox, and reports of what was decided. */
  readonly paymentRequests: WalletPaymentRequests;
  /** Agent payments of the wallet's connections. */
  readonly agentPayments: AgentPayments;
  /** Automation policies of the wallet's connections. */
  readonly policies: AutomationPolicies;
  /** What changed a right or a secret of this wallet. */
  readonly audit: WalletAudit;
  readonly #api: Api;
  readonly #credential: DeviceCredential;

  /** Nothing is sent before the first call. */
  constructor(options: WalletClientOptions) {
    const settings = resolveSettings(options);
    if (options.deviceId !== undefined) checkedId('deviceId', options.deviceId);
    this.#credential = deviceCredential(options.deviceToken);
    this.#api = createApi(settings, this.#credential);
    this.devices = new WalletDevices(this.#api, this.#credential, options.deviceId, options.signer);
    this.pendingChanges = new WalletPendingChanges(this.#api);
    this.connectKeys = new WalletConnectKeys(this.#api);
    this.invitations = new WalletInvitations(this.#api);
    this.pairing = new WalletPairing(this.#api);
    this.connections = new WalletConnections(this.#api);
    this.paymentRequests = new WalletPaymentRequests(this.#api);
    this.agentPayments = new AgentPayments(this.#api, checkedStore(options.store));
    this.policies = new AutomationPolicies(this.#api);
    this.audit = new WalletAudit(this.#api);
  }

  /** Enrols a device: with a new wallet, or into an existing one by a link code or recovery code. */
  static async enrol(
    options: ClientOptions,
    input: EnrolInput,
    callOptions: CallOptions = {},
  ): Promise<Enrolled> {
    const enrolled = await createApi(resolveSettings(options)).call(
      enrolDevice,
      { body: input },
      callOptions,
    );
    const { device, token } = enrolled;
    const client = new WalletClient({ ...options, deviceToken: token, deviceId: device.device_id });
    return { ...enrolled, client };
  }

  /** Reads what an agent wrote about a payment. Ask for the revision that the request has pinned. */
  context(
    transactionId: string,
    query: ContextQuery = {},
    options: CallOptions = {},
  ): Promise<ContextAnswer> {
    return this.#api.call(
      getTransactionContext,
      { params: { transaction_id: transactionId }, query },
      options,
    );
  }

  /** What the service last said about its limits. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}
