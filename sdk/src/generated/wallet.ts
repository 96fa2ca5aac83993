/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type { ApproveInvitationInput, ApprovePairingInput, AuditEvent, AuditPage, AuditQuery, ConnectInvitation, ConnectKey, ConnectKeyAnswer, ConnectKeysPage, Connection, ConnectionAnswer, ConnectionQuery, ConnectionWithToken, ConnectionsPage, CreatedConnectKey, Device, DevicesPage, EvidenceBundle, InvitationAnswer, InvitationQuery, InvitationsPage, LinkCode, PageQuery, PairingAnswer, PaymentRequest, PaymentRequestAnswer, PaymentRequestHistory, PaymentRequestQuery, PaymentRequestReadQuery, PaymentRequestsPage, PendingChangeAnswer, PushKey, RejectPairingInput } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/api.ts';
import { approveConnectInvitation, approvePairingSession, cancelPendingChange, createConnectKey, createLinkCode, getConnectInvitation, getPaymentRequest, getPaymentRequestEvidence, getPushKey, listConnectInvitations, listConnectKeys, listConnections, listDevices, listEventsOfPaymentRequest, listPaymentRequests, listWalletAuditEvents, rejectConnectInvitation, rejectPairingSession, revokeConnection, rotateConnectionToken, withdrawConnectKey } from '../operations.ts';

/** Every act that changed a right or a secret of this wallet: devices, codes, connections, policies. */
export class WalletAudit {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** List what changed a right or a secret of this wallet. Its devices, codes, connections and policies. */
  list(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#api.call(listWalletAuditEvents, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: AuditQuery = {}, options: CallOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return eachRecord(this.#api, listWalletAuditEvents, 'audit_events', { query }, options);
  }
}

/** One-time keys that let an agent request a connection. A key is no approval. */
export class WalletConnectKeys {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Make a one-time Connect Key that the customer hands to an agent. It lives for ten minutes and can be claimed once. */
  create(options: CallOptions = {}): Promise<CreatedConnectKey> {
    return this.#api.call(createConnectKey, {}, options);
  }

  /** List the wallet's Connect Keys, without the keys themselves. Keys that were used, withdrawn or have expired are listed too. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectKeysPage> {
    return this.#api.call(listConnectKeys, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<ConnectKey, void, undefined> {
    return eachRecord(this.#api, listConnectKeys, 'connect_keys', { query }, options);
  }

  /** Withdraw a Connect Key that was not claimed yet. Afterwards it can no longer be claimed. */
  withdraw(connectKeyId: string, options: CallOptions = {}): Promise<ConnectKeyAnswer> {
    return this.#api.call(withdrawConnectKey, { params: { id: connectKeyId } }, options);
  }
}

/** What `WalletConnections` passes on as it is. */
export class WalletConnectionsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** List connections: the wallet's, the agent's or the organization's. Newest first. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<ConnectionsPage> {
    return this.#api.call(listConnections, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Connection, void, undefined> {
    return eachRecord(this.#api, listConnections, 'connections', { query }, options);
  }

  /** Revoke a connection for good. Final. */
  revoke(connectionId: string, options: CallOptions = {}): Promise<ConnectionAnswer> {
    return this.#api.call(revokeConnection, { params: { id: connectionId } }, options);
  }

  /** Replace the connection token; the previous one ends immediately. The agent is refused with token_rotated and collects its own token, which ends the one that the wallet has seen. */
  rotateToken(connectionId: string, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#api.call(rotateConnectionToken, { params: { id: connectionId } }, options);
  }
}

/** What `WalletDevices` passes on as it is. */
export class WalletDevicesCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Make a code with which another device can join this wallet. Show it on this device and type it into the other one. */
  createLinkCode(options: CallOptions = {}): Promise<LinkCode> {
    return this.#api.call(createLinkCode, {}, options);
  }

  /** Read the key under which push messages are sent. What a browser subscribes with (VAPID). */
  pushKey(options: CallOptions = {}): Promise<PushKey> {
    return this.#api.call(getPushKey, {}, options);
  }

  /** List the devices of the wallet. Devices that were revoked are listed too. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<DevicesPage> {
    return this.#api.call(listDevices, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Device, void, undefined> {
    return eachRecord(this.#api, listDevices, 'devices', { query }, options);
  }
}

/** Invitations on the wallet's Connect Keys. Show agent, merchant, verified domain and scopes before deciding. */
export class WalletInvitations {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Approve an invitation, with all requested scopes or some of them. The agent gets its token only when it exchanges the invitation. */
  approve(connectInvitationId: string, input: ApproveInvitationInput = {}, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(approveConnectInvitation, { params: { id: connectInvitationId }, body: input }, options);
  }

  /** Read an invitation: the agent, its merchant, the scopes, and the decision. The wallet reads it with its device token, the agent with the claim token. */
  get(connectInvitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(getConnectInvitation, { params: { id: connectInvitationId } }, options);
  }

  /** List invitations on the wallet's Connect Keys. Show agent, merchant, verified domain and scopes to the customer before deciding. */
  list(query: InvitationQuery = {}, options: CallOptions = {}): Promise<InvitationsPage> {
    return this.#api.call(listConnectInvitations, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: InvitationQuery = {}, options: CallOptions = {}): AsyncGenerator<ConnectInvitation, void, undefined> {
    return eachRecord(this.#api, listConnectInvitations, 'connect_invitations', { query }, options);
  }

  /** Reject an invitation, also an approved one that was not exchanged yet. Final. */
  reject(connectInvitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(rejectConnectInvitation, { params: { id: connectInvitationId } }, options);
  }
}

/** What `WalletPairing` passes on as it is. */
export class WalletPairingCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Approve a pairing; the wallet receives a connection token. The code proves that the customer has read it from the screen of the agent. */
  approve(sessionId: string, input: ApprovePairingInput, options: CallOptions = {}): Promise<ConnectionWithToken> {
    return this.#api.call(approvePairingSession, { params: { id: sessionId }, body: input }, options);
  }

  /** Reject a pairing. Final. */
  reject(sessionId: string, input: RejectPairingInput, options: CallOptions = {}): Promise<PairingAnswer> {
    return this.#api.call(rejectPairingSession, { params: { id: sessionId }, body: input }, options);
  }
}

/** What `WalletPaymentRequests` passes on as it is. */
export class WalletPaymentRequestsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read one payment request. The record that webhooks and events only point to. */
  get(paymentRequestId: string, query: PaymentRequestReadQuery = {}, options: CallOptions = {}): Promise<PaymentRequestAnswer> {
    return this.#api.call(getPaymentRequest, { params: { id: paymentRequestId }, query }, options);
  }

  /** Read everything that proves the outcome of a request. The document itself, without an envelope; `verifyEvidence` verifies it. */
  evidence(paymentRequestId: string, query: ConnectionQuery = {}, options: CallOptions = {}): Promise<EvidenceBundle> {
    return this.#api.call(getPaymentRequestEvidence, { params: { id: paymentRequestId }, query }, options);
  }

  /** Read one request's own history. Every change of its status, oldest first. */
  history(paymentRequestId: string, query: ConnectionQuery = {}, options: CallOptions = {}): Promise<PaymentRequestHistory> {
    return this.#api.call(listEventsOfPaymentRequest, { params: { id: paymentRequestId }, query }, options);
  }

  /** List payment requests; for a wallet, its inbox. Newest first. */
  list(query: PaymentRequestQuery = {}, options: CallOptions = {}): Promise<PaymentRequestsPage> {
    return this.#api.call(listPaymentRequests, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PaymentRequestQuery = {}, options: CallOptions = {}): AsyncGenerator<PaymentRequest, void, undefined> {
    return eachRecord(this.#api, listPaymentRequests, 'payment_requests', { query }, options);
  }
}

/** What `WalletPendingChanges` passes on as it is. */
export class WalletPendingChangesCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Cancel a change of the wallet's keys before it takes effect. Every device of the wallet may, with a key or without. */
  cancel(pendingChangeId: string, options: CallOptions = {}): Promise<PendingChangeAnswer> {
    return this.#api.call(cancelPendingChange, { params: { id: pendingChangeId } }, options);
  }
}
