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

/** Options of a wallet app. */
export interface WalletClientOptions extends ClientOptions {
  /** `svc_dt_…`, from the enrolment or the last rotation. Sent as a bearer, so that it never is in an address. */
  deviceToken: string;
  /** `dev_…`; needed only to rotate this device's token. */
  deviceId?: string;
  /**
   * The decision key of this device, once the service knows it: changes of the wallet's keys are authorized with it and
   * take effect immediately.
   */
  signer?: KeySigner;
  /** Keeps the keys of human-initiated agent payments over restarts. */
  store?: Store;
}

/** A freshly enrolled device. */
export interface Enrolled extends EnrolAnswer {
  /** Acts as this device. */
  client: WalletClient;
}

/**
 * A wallet app on one device: it connects agents, shows what they request, and reports the customer's decisions. It
 * never touches the keys that sign payments.
 */
export class WalletClient {
  /** The wallet's devices. */
  readonly devices: WalletDevices;
  /** Pending changes of the wallet's keys. */
  readonly pendingChanges: WalletPendingChanges;
  /** One-time keys that the customer hands to agents. */
  readonly connectKeys: WalletConnectKeys;
  /** Invitations: requests of agents that claimed a Connect Key. */
  readonly invitations: WalletInvitations;
  /** Pairing by a short code. */
  readonly pairing: WalletPairing;
  /** Connected agents. */
  readonly connections: WalletConnections;
  /** The inbox, and the reports of decisions and payments. */
  readonly paymentRequests: WalletPaymentRequests;
  /** Agent payments of the wallet's connections. */
  readonly agentPayments: AgentPayments;
  /** Automation policies of the wallet's connections. */
  readonly policies: AutomationPolicies;
  /** The audit trail: changes of the wallet's rights and secrets. */
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

  /** Reads an agent's description of a payment. Request the revision that the request has pinned. */
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

  /** The limits that the service reported last. */
  get rateLimits(): RateLimit[] {
    return this.#api.settings.rateLimits.known();
  }
}
