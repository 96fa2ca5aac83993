/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type { ActivateVersionInput, AdminSession, Agent, AgentAnswer, AgentChange, AgentInput, AgentsPage, ApiKey, ApiKeyAnswer, ApiKeyInput, ApiKeysPage, Approval, ApprovalAnswer, ApprovalQuery, ApprovalsPage, AuditEvent, AuditPage, AuditQuery, Connection, ConnectionAnswer, ConnectionQuery, ConnectionsPage, CreatedApiKey, Credential, CredentialAnswer, CredentialProof, CredentialsPage, Domain, DomainAnswer, DomainInput, DomainWithChallenge, DomainsPage, EvidenceBundle, FiguresAnswer, FiguresQuery, MerchantAnswer, MerchantChange, OperatorAnswer, OperatorChange, OperatorInput, OperatorList, PageQuery, PasskeyAnswer, PasskeyInput, PasskeyList, PasskeyOptions, PasskeyUse, PaymentRequest, PaymentRequestAnswer, PaymentRequestHistory, PaymentRequestQuery, PaymentRequestReadQuery, PaymentRequestsPage, RecalledRecipient, Recipient, RecipientAnswer, RecipientChange, RecipientInput, RecipientVersionInput, RecipientWithVersion, RecipientWithVersions, RecipientsPage, RemovedOperator, RequestLogPage, RequestLogQuery, SessionAnswer, SessionList, VerifiedDomain, VerifiedRecipient, VerifyRecipientInput, WebhookDeliveriesPage, WebhookDelivery, WebhookDeliveryAnswer, WebhookDeliveryQuery, WebhookDeliveryWithPayload, WebhookEndpoint, WebhookEndpointAnswer, WebhookEndpointChange, WebhookEndpointInput, WebhookEndpointWithSecret, WebhookEndpointsPage } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/api.ts';
import { activateAgentCredential, activateRecipientVersion, addRecipientVersion, approve, changeOperator, confirmPasskey, createAdminSession, createAgent, createApiKey, createRecipient, createWebhookEndpoint, deleteWebhookEndpoint, endOneMerchantSession, getAgent, getDomain, getFigures, getMerchant, getPasskeyRegistrationOptions, getPaymentRequest, getPaymentRequestEvidence, getRecipient, getStepUpOptions, getWebhookDelivery, getWebhookEndpoint, inviteOperator, listAgentCredentials, listAgents, listApiKeys, listApprovals, listAuditEvents, listConnections, listDomains, listEventsOfPaymentRequest, listMerchantSessions, listOperators, listPasskeys, listPaymentRequests, listRecipients, listRequestLog, listWebhookDeliveries, listWebhookEndpoints, redeliverWebhook, registerDomain, registerPasskey, rejectApproval, rejectPendingRequests, releaseDomain, removeOperator, removePasskey, revokeAgentCredential, revokeApiKey, revokeConnection, rotateWebhookSecret, stepUp, updateAgent, updateMerchant, updateRecipient, updateWebhookEndpoint, verifyDomain, verifyRecipientVersion, verifyWebhookEndpoint } from '../operations.ts';

/** API keys and admin sessions for the second surface. */
export class MerchantAccess {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Open an admin session: a bearer for one hour, which ends with this sign-in. For people who act on agent payments and policies without the browser session. */
  createAdminSession(options: CallOptions = {}): Promise<AdminSession> {
    return this.#api.call(createAdminSession, {}, options);
  }

  /** Create a project API key for one agent; it is shown once. The key speaks for one agent on the second surface and works until it is revoked. */
  createApiKey(input: ApiKeyInput, options: CallOptions = {}): Promise<CreatedApiKey> {
    return this.#api.call(createApiKey, { body: input }, options);
  }

  /** List the API keys of this organization, newest first; never the keys themselves. Keys that were revoked are listed too. */
  listApiKeys(query: PageQuery = {}, options: CallOptions = {}): Promise<ApiKeysPage> {
    return this.#api.call(listApiKeys, { query }, options);
  }

  /** All of what `listApiKeys` gives, page by page. */
  eachApiKey(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<ApiKey, void, undefined> {
    return eachRecord(this.#api, listApiKeys, 'api_keys', { query }, options);
  }

  /** Revoke an API key; it stops working immediately. The next call with the key is refused with token_revoked. */
  revokeApiKey(apiKeyId: string, options: CallOptions = {}): Promise<ApiKeyAnswer> {
    return this.#api.call(revokeApiKey, { params: { id: apiKeyId } }, options);
  }
}

/** What `MerchantAgents` passes on as it is. */
export class MerchantAgentsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Register an agent and what it may request from customers. It is pending until its status is changed to active, and needs an active credential before it can act. */
  create(input: AgentInput, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(createAgent, { body: input }, options);
  }

  /** Read one agent. Its keys are listed separately. */
  get(agentId: string, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(getAgent, { params: { agentId } }, options);
  }

  /** List the agents of this organization, newest first. Agents that were revoked are listed too. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<AgentsPage> {
    return this.#api.call(listAgents, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Agent, void, undefined> {
    return eachRecord(this.#api, listAgents, 'agents', { query }, options);
  }

  /** List the last calls of an agent. Newest first, within seconds of the call. */
  requestLog(query: RequestLogQuery = {}, options: CallOptions = {}): Promise<RequestLogPage> {
    return this.#api.call(listRequestLog, { query }, options);
  }

  /** Change the status, name, allowed scopes or proofs of an agent. Takes effect with the next call of the agent. */
  update(agentId: string, input: AgentChange, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(updateAgent, { params: { agentId }, body: input }, options);
  }
}

/** Changes that wait for a second owner, where the organization requires one. */
export class MerchantApprovals {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Carry out a change that another owner requested. All checks are made again; when the call is refused, the approval stays pending. */
  approve(approvalId: string, options: CallOptions = {}): Promise<ApprovalAnswer> {
    return this.#api.call(approve, { params: { id: approvalId } }, options);
  }

  /** List changes that wait or waited for a second owner, newest first. Kept for 400 days, as the audit trail is. */
  list(query: ApprovalQuery = {}, options: CallOptions = {}): Promise<ApprovalsPage> {
    return this.#api.call(listApprovals, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: ApprovalQuery = {}, options: CallOptions = {}): AsyncGenerator<Approval, void, undefined> {
    return eachRecord(this.#api, listApprovals, 'approvals', { query }, options);
  }

  /** Reject a change that another owner requested. Nothing is changed; the team member who requested it is notified. */
  reject(approvalId: string, options: CallOptions = {}): Promise<ApprovalAnswer> {
    return this.#api.call(rejectApproval, { params: { id: approvalId } }, options);
  }
}

/** Every act that changed a right or a secret. */
export class MerchantAudit {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** List what changed a right or a secret in this organization. Newest first. */
  list(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#api.call(listAuditEvents, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: AuditQuery = {}, options: CallOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return eachRecord(this.#api, listAuditEvents, 'audit_events', { query }, options);
  }
}

/** Customers that are connected to the organization's agents. */
export class MerchantConnections {
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
}

/** What `MerchantCredentials` passes on as it is. */
export class MerchantCredentialsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Prove possession of the private key with a signature over the challenge. The challenge works once. */
  activate(agentId: string, credentialId: string, input: CredentialProof, options: CallOptions = {}): Promise<CredentialAnswer> {
    return this.#api.call(activateAgentCredential, { params: { agentId, credentialId }, body: input }, options);
  }

  /** List the credentials of an agent, newest first. Only public facts: the service never has a private key. */
  list(agentId: string, query: PageQuery = {}, options: CallOptions = {}): Promise<CredentialsPage> {
    return this.#api.call(listAgentCredentials, { params: { agentId }, query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(agentId: string, query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Credential, void, undefined> {
    return eachRecord(this.#api, listAgentCredentials, 'credentials', { params: { agentId }, query }, options);
  }

  /** Revoke a credential; every agent token it signed for stops working immediately. Final. */
  revoke(agentId: string, credentialId: string, options: CallOptions = {}): Promise<CredentialAnswer> {
    return this.#api.call(revokeAgentCredential, { params: { agentId, credentialId } }, options);
  }
}

/** Attempts to deliver webhooks; never bodies or secrets. */
export class MerchantDeliveries {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read a delivery attempt with what was sent. What your server sent back is not kept. */
  get(webhookDeliveryId: string, options: CallOptions = {}): Promise<WebhookDeliveryWithPayload> {
    return this.#api.call(getWebhookDelivery, { params: { id: webhookDeliveryId } }, options);
  }

  /** List delivery attempts, newest first. One record per attempt; kept for 30 days. */
  list(query: WebhookDeliveryQuery = {}, options: CallOptions = {}): Promise<WebhookDeliveriesPage> {
    return this.#api.call(listWebhookDeliveries, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: WebhookDeliveryQuery = {}, options: CallOptions = {}): AsyncGenerator<WebhookDelivery, void, undefined> {
    return eachRecord(this.#api, listWebhookDeliveries, 'webhook_deliveries', { query }, options);
  }

  /** Send an event again. A new record with the same event: same `webhook-id`, same bytes. */
  redeliver(webhookDeliveryId: string, options: CallOptions = {}): Promise<WebhookDeliveryAnswer> {
    return this.#api.call(redeliverWebhook, { params: { id: webhookDeliveryId } }, options);
  }
}

/** Domains and their proofs. */
export class MerchantDomains {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read a domain and its challenge. The challenge stays the same until the domain is released. */
  get(merchantDomainId: string, options: CallOptions = {}): Promise<DomainWithChallenge> {
    return this.#api.call(getDomain, { params: { id: merchantDomainId } }, options);
  }

  /** List the domains of the organization. Newest first. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<DomainsPage> {
    return this.#api.call(listDomains, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Domain, void, undefined> {
    return eachRecord(this.#api, listDomains, 'domains', { query }, options);
  }

  /** Register an exact domain and get its challenge. Publish the challenge as the TXT record or the file that the response names, then verify the domain. */
  create(input: DomainInput, options: CallOptions = {}): Promise<DomainWithChallenge> {
    return this.#api.call(registerDomain, { body: input }, options);
  }

  /** Release a domain. Evidence of this domain can no longer activate a payee, and Recipients that rest on it are suspended until a version is activated with new evidence. */
  delete(merchantDomainId: string, options: CallOptions = {}): Promise<DomainAnswer> {
    return this.#api.call(releaseDomain, { params: { id: merchantDomainId } }, options);
  }

  /** Check the published challenge. The first success activates domain and organization together. */
  verify(merchantDomainId: string, options: CallOptions = {}): Promise<VerifiedDomain> {
    return this.#api.call(verifyDomain, { params: { id: merchantDomainId } }, options);
  }
}

/** The people who work for the organization. Changes are for owners. */
export class MerchantOperators {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Give an operator another role. It counts from the next call of the operator on. */
  changeRole(merchantOperatorId: string, input: OperatorChange, options: CallOptions = {}): Promise<OperatorAnswer> {
    return this.#api.call(changeOperator, { params: { id: merchantOperatorId }, body: input }, options);
  }

  /** Invite a person by mail. The mail has an ordinary sign-in link; the first sign-in makes the operator active. */
  invite(input: OperatorInput, options: CallOptions = {}): Promise<OperatorAnswer> {
    return this.#api.call(inviteOperator, { body: input }, options);
  }

  /** List the people who work for this organization, newest first. Those who were invited and have not signed in yet are listed too. */
  list(options: CallOptions = {}): Promise<OperatorList> {
    return this.#api.call(listOperators, {}, options);
  }

  /** Remove an operator from this organization. Ends the sessions and admin sessions of the operator in this organization. */
  remove(merchantOperatorId: string, options: CallOptions = {}): Promise<RemovedOperator> {
    return this.#api.call(removeOperator, { params: { id: merchantOperatorId } }, options);
  }
}

/** The organization of the session. */
export class MerchantOrganization {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Read what was received and how customers decide. Over the newest 10,000 requests and 10,000 agent payments of the last thirty days. */
  figures(query: FiguresQuery = {}, options: CallOptions = {}): Promise<FiguresAnswer> {
    return this.#api.call(getFigures, { query }, options);
  }

  /** Read the signed-in organization. Every call with the session concerns this organization. */
  get(options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.call(getMerchant, {}, options);
  }

  /** Rename the signed-in organization, or require more for a change of its payees. Wallets show the new name with the previous one, until the customer has seen it. */
  update(input: MerchantChange, options: CallOptions = {}): Promise<MerchantAnswer> {
    return this.#api.call(updateMerchant, { body: input }, options);
  }
}

/** Passkeys of the operator who is signed in. Once one is effective, calls that matter need its use. */
export class MerchantPasskeys {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Confirm another operator's first passkey. It is effective from then on. */
  confirm(merchantPasskeyId: string, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(confirmPasskey, { params: { id: merchantPasskeyId } }, options);
  }

  /** Begin to register a passkey. Give `options` to the browser, then send what it made to POST /v1/merchant-passkeys. */
  registrationOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#api.call(getPasskeyRegistrationOptions, {}, options);
  }

  /** Begin to use a passkey in this session. Give `options` to the browser, then send what it signed to POST /v1/merchant-passkeys/step-up. */
  stepUpOptions(options: CallOptions = {}): Promise<PasskeyOptions> {
    return this.#api.call(getStepUpOptions, {}, options);
  }

  /** List your own passkeys, newest first. Only names and times: the service has the public keys, never the private ones. */
  list(options: CallOptions = {}): Promise<PasskeyList> {
    return this.#api.call(listPasskeys, {}, options);
  }

  /** Register a passkey. From the first one on, calls that matter need a passkey that was used in the last 10 minutes (`step_up_required`); another passkey needs that too. */
  register(input: PasskeyInput, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(registerPasskey, { body: input }, options);
  }

  /** Remove one of your passkeys. It can no longer be used from then on. */
  remove(merchantPasskeyId: string, options: CallOptions = {}): Promise<PasskeyAnswer> {
    return this.#api.call(removePasskey, { params: { id: merchantPasskeyId } }, options);
  }

  /** Use a passkey in this session; calls that need it pass for 10 minutes. For calls that were refused with step_up_required. */
  stepUp(input: PasskeyUse, options: CallOptions = {}): Promise<SessionAnswer> {
    return this.#api.call(stepUp, { body: input }, options);
  }
}

/** The organization's payment requests, read only. */
export class MerchantPaymentRequests {
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

/** Payees and their versions. */
export class MerchantRecipients {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Activate a verified version; the previous active one is superseded. From this moment on new requests use this version. */
  activate(recipientId: string, recipientVersionId: string, input: ActivateVersionInput, options: CallOptions = {}): Promise<RecipientWithVersion> {
    return this.#api.call(activateRecipientVersion, { params: { id: recipientId, recipient_version_id: recipientVersionId }, body: input }, options);
  }

  /** Add a version with other facts. The active version stays active until this one is verified and activated. */
  addVersion(recipientId: string, input: RecipientVersionInput, options: CallOptions = {}): Promise<RecipientWithVersion> {
    return this.#api.call(addRecipientVersion, { params: { id: recipientId }, body: input }, options);
  }

  /** Create a Recipient with its first version. The rail, and what follows from network and asset, is derived; the address is checked with its checksum. */
  create(input: RecipientInput, options: CallOptions = {}): Promise<RecipientWithVersion> {
    return this.#api.call(createRecipient, { body: input }, options);
  }

  /** Read a Recipient with all its versions, newest first. Versions never change; `status` marks the active one. */
  get(recipientId: string, options: CallOptions = {}): Promise<RecipientWithVersions> {
    return this.#api.call(getRecipient, { params: { id: recipientId } }, options);
  }

  /** List the Recipients of this organization, newest first. Archived ones are listed too. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<RecipientsPage> {
    return this.#api.call(listRecipients, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Recipient, void, undefined> {
    return eachRecord(this.#api, listRecipients, 'recipients', { query }, options);
  }

  /** Take back every request to this payee that awaits a decision. They are rejected immediately with the reason payee_recalled; agent payments likewise. */
  rejectPending(recipientId: string, options: CallOptions = {}): Promise<RecalledRecipient> {
    return this.#api.call(rejectPendingRequests, { params: { id: recipientId } }, options);
  }

  /** Change the label of a Recipient, or archive it for good. The label is for the portal only. */
  update(recipientId: string, input: RecipientChange, options: CallOptions = {}): Promise<RecipientAnswer> {
    return this.#api.call(updateRecipient, { params: { id: recipientId }, body: input }, options);
  }

  /** Make the payee proof of a version: the domain is queried now. The evidence is valid for 24 hours. */
  verify(recipientId: string, input: VerifyRecipientInput, options: CallOptions = {}): Promise<VerifiedRecipient> {
    return this.#api.call(verifyRecipientVersion, { params: { id: recipientId }, body: input }, options);
  }
}

/** What `MerchantSessions` passes on as it is. */
export class MerchantSessionsCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Sign out in one place, with the admin sessions that were made there. The cookie of that session is refused from then on. */
  signOutOf(merchantSessionId: string, options: CallOptions = {}): Promise<SessionAnswer> {
    return this.#api.call(endOneMerchantSession, { params: { id: merchantSessionId } }, options);
  }

  /** List where you are signed in to this organization, newest first. With the address and the browser that each sign-in came from. */
  list(options: CallOptions = {}): Promise<SessionList> {
    return this.#api.call(listMerchantSessions, {}, options);
  }
}

/** What `MerchantWebhooks` passes on as it is. */
export class MerchantWebhooksCalls {
  readonly #api: Api;

  /** Made by the clients. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Create a webhook endpoint; its secret is shown once. Nothing is sent until the endpoint has been verified. */
  create(input: WebhookEndpointInput, options: CallOptions = {}): Promise<WebhookEndpointWithSecret> {
    return this.#api.call(createWebhookEndpoint, { body: input }, options);
  }

  /** Delete a webhook endpoint and cancel what waits for it. Final. */
  delete(webhookEndpointId: string, options: CallOptions = {}): Promise<WebhookEndpointAnswer> {
    return this.#api.call(deleteWebhookEndpoint, { params: { id: webhookEndpointId } }, options);
  }

  /** Read one webhook endpoint. The secret is never shown again; rotate it when it is lost. */
  get(webhookEndpointId: string, options: CallOptions = {}): Promise<WebhookEndpointAnswer> {
    return this.#api.call(getWebhookEndpoint, { params: { id: webhookEndpointId } }, options);
  }

  /** List the webhook endpoints of this organization, newest first. Secrets are never listed. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<WebhookEndpointsPage> {
    return this.#api.call(listWebhookEndpoints, { query }, options);
  }

  /** All of what `list` gives, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<WebhookEndpoint, void, undefined> {
    return eachRecord(this.#api, listWebhookEndpoints, 'webhook_endpoints', { query }, options);
  }

  /** Replace the secret of a webhook endpoint. Both secrets sign for 24 hours. */
  rotateSecret(webhookEndpointId: string, options: CallOptions = {}): Promise<WebhookEndpointWithSecret> {
    return this.#api.call(rotateWebhookSecret, { params: { id: webhookEndpointId } }, options);
  }

  /** Change the address, the subscriptions or the status of a webhook endpoint. A new url has to be verified before anything is sent to it. */
  update(webhookEndpointId: string, input: WebhookEndpointChange, options: CallOptions = {}): Promise<WebhookEndpointAnswer> {
    return this.#api.call(updateWebhookEndpoint, { params: { id: webhookEndpointId }, body: input }, options);
  }

  /** Send a challenge to a webhook endpoint; the right response activates it. Sends a signed `webhook.verification` immediately. */
  verify(webhookEndpointId: string, options: CallOptions = {}): Promise<WebhookEndpointAnswer> {
    return this.#api.call(verifyWebhookEndpoint, { params: { id: webhookEndpointId } }, options);
  }
}
