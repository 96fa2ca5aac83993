import type { CredentialDates, CredentialInput } from '../aliases.ts';
import type { CredentialAnswer, RegisteredCredential } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { MerchantAgentsCalls, MerchantCredentialsCalls } from '../generated/merchant.ts';
import type { AgentKey } from '../keys/agent-key.ts';
import { signCredentialChallenge } from '../keys/credential-proof.ts';
import { registerAgentCredential } from '../operations.ts';

/** Agents of the organization. One is usable when it is active and has an active credential. */
export class MerchantAgents extends MerchantAgentsCalls {
  /** Their keys. */
  readonly credentials: MerchantCredentials;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    super(api);
    this.credentials = new MerchantCredentials(api);
  }
}

/** Keys of agents. Only public keys and signatures are sent. */
export class MerchantCredentials extends MerchantCredentialsCalls {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    super(api);
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

  /** Registers a key that the caller holds and proves it in the same step. The private key never leaves the caller. */
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
}
