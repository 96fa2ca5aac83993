import type { CredentialDates, CredentialInput } from '../aliases.ts';
import type {
  Credential,
  CredentialAnswer,
  CredentialProof,
  CredentialsPage,
  PageQuery,
  RegisteredCredential,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import type { AgentKey } from '../keys/agent-key.ts';
import { signCredentialChallenge } from '../keys/credential-proof.ts';
import {
  activateAgentCredential,
  listAgentCredentials,
  registerAgentCredential,
  revokeAgentCredential,
} from '../operations.ts';

/** Keys of agents. Only public keys and signatures are sent. */
export class MerchantCredentials {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Registers a public key. Registering an unproved one again gives a fresh challenge. */
  register(
    agentId: string,
    input: CredentialInput,
    options: CallOptions = {},
  ): Promise<RegisteredCredential> {
    return this.#api.call(
      registerAgentCredential,
      { params: { agentId }, body: { alg: 'Ed25519', ...input } },
      options,
    );
  }

  /** Proves possession with the signed challenge; see `signCredentialChallenge`. */
  activate(
    agentId: string,
    credentialId: string,
    input: CredentialProof,
    options: CallOptions = {},
  ): Promise<CredentialAnswer> {
    return this.#api.call(
      activateAgentCredential,
      { params: { agentId, credentialId }, body: input },
      options,
    );
  }

  /** Registers a key that is at hand and proves it at once. The private key stays where it is. */
  async add(
    agentId: string,
    input: { kid: string; key: AgentKey } & CredentialDates,
    options: CallOptions = {},
  ): Promise<CredentialAnswer> {
    const { key, kid, ...dates } = input;
    const registered = await this.register(agentId, { kid, public_key: key.publicKey, ...dates }, options);
    const { proof_challenge: challenge, credential } = registered;
    const credentialId = credential.credential_id;
    const { baseUrl } = this.#api.settings;
    const signature = await signCredentialChallenge(challenge, key, { baseUrl, agentId, credentialId, kid });
    return this.activate(agentId, credentialId, { challenge, signature }, options);
  }

  /** One page of an agent's credentials. */
  list(agentId: string, query: PageQuery = {}, options: CallOptions = {}): Promise<CredentialsPage> {
    return this.#api.call(listAgentCredentials, { params: { agentId }, query }, options);
  }

  /** All of an agent's credentials, page by page. */
  each(
    agentId: string,
    query: PageQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<Credential, void, undefined> {
    return eachRecord(
      this.#api,
      listAgentCredentials,
      'credentials',
      { params: { agentId }, query },
      options,
    );
  }

  /** Revokes a key; tokens that it signed for die at once. */
  revoke(agentId: string, credentialId: string, options: CallOptions = {}): Promise<CredentialAnswer> {
    return this.#api.call(revokeAgentCredential, { params: { agentId, credentialId } }, options);
  }
}
