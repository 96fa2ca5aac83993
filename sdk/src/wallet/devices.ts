import type {
  DecisionKeyChange,
  DeviceAnswer,
  DeviceWithToken,
  PushSubscriptionInput,
  RecoveryCode,
  WalletAuthorization,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { type CallCredential, checkedToken } from '../core/credential.ts';
import { WalletDevicesCalls } from '../generated/wallet.ts';
import {
  createRecoveryCode,
  deleteDecisionKey,
  deleteDevice,
  deletePushSubscription,
  rotateDeviceToken,
  setDecisionKey,
  setPushSubscription,
} from '../operations.ts';
import {
  authorizeChange,
  type DecisionKey,
  type KeyChange,
  type KeySigner,
  keyThumbprint,
} from './decisions.ts';

/** Options of a call that changes the wallet's keys. */
export interface AuthorizedOptions extends CallOptions {
  /** The authorization by a current key of the wallet, see `authorizeChange`. A client with a `signer` creates it. */
  authorization?: WalletAuthorization;
}

/**
 * The wallet's devices. In a wallet with a decision key a change of its keys needs an authorization. Without one
 * nothing changes yet: the call throws a `ChangePendingError`, and the change takes effect after 24 hours.
 */
export class WalletDevices extends WalletDevicesCalls {
  readonly #api: Api;
  readonly #credential: DeviceCredential;
  readonly #deviceId: string | undefined;
  readonly #signer: KeySigner | undefined;

  /** Made by `WalletClient`. */
  constructor(
    api: Api,
    credential: DeviceCredential,
    deviceId: string | undefined,
    signer: KeySigner | undefined,
  ) {
    super(api);
    this.#api = api;
    this.#credential = credential;
    this.#deviceId = deviceId;
    this.#signer = signer;
  }

  /**
   * Makes a new recovery code; the previous one ends. Show it once and let the customer keep it. After a delay of 24
   * hours the same call by the same device returns the code, once.
   */
  async createRecoveryCode(options: AuthorizedOptions = {}): Promise<RecoveryCode> {
    const change: KeyChange = { act: 'recovery_code', deviceId: null, thumbprint: null };
    const { body, rest } = await this.#authorized(options, change);
    return this.#api.call(createRecoveryCode, { body }, rest);
  }

  /**
   * Replaces this device's token. The client uses the new one from then on; store it before anything else, since its
   * first use invalidates the old one.
   */
  async rotateToken(options: CallOptions = {}): Promise<DeviceWithToken> {
    const params = this.#own('to rotate the token');
    const rotated = await this.#api.call(rotateDeviceToken, { params }, options);
    this.#credential.replace(rotated.token);
    return rotated;
  }

  /**
   * Sets or replaces the key with which this device signs its decisions. From then on every device of the wallet has to
   * sign what it approves. `proof` and `endorsement` sign `keyText(baseUrl, deviceId, key)`.
   */
  async setDecisionKey(input: DecisionKeyChange, options: CallOptions = {}): Promise<DeviceAnswer> {
    const params = this.#own('to set the decision key');
    if (input.authorization || input.endorsement)
      return this.#api.call(setDecisionKey, { params, body: input }, options);
    const thumbprint = keyThumbprint(input.decision_key as DecisionKey);
    const { body } = await this.#authorized({}, { act: 'set_key', deviceId: params.id, thumbprint });
    return this.#api.call(setDecisionKey, { params, body: { ...input, ...body } }, options);
  }

  /** Removes the key of this device. What it has signed stays verifiable. */
  async removeDecisionKey(options: AuthorizedOptions = {}): Promise<DeviceAnswer> {
    const params = this.#own('to remove the decision key');
    const { body, rest } = await this.#authorizedEnd(options, 'remove_key', params.id);
    return this.#api.call(deleteDecisionKey, { params, body }, rest);
  }

  /**
   * Turns on notifications of this device about pending requests of the wallet. Messages contain `{kind, waiting}` and
   * nothing else.
   */
  setPush(subscription: PushSubscriptionInput, options: CallOptions = {}): Promise<DeviceAnswer> {
    const params = this.#own('to notify it');
    return this.#api.call(setPushSubscription, { params, body: subscription }, options);
  }

  /** Turns off notifications of this device. */
  deletePush(options: CallOptions = {}): Promise<DeviceAnswer> {
    return this.#api.call(deletePushSubscription, { params: this.#own('to silence it') }, options);
  }

  #own(why: string): { id: string } {
    if (this.#deviceId === undefined) throw new TypeError(`deviceId is needed ${why}`);
    return { id: this.#deviceId };
  }

  /** Removes a device. Removing the last one revokes the wallet's connections. */
  async delete(deviceId: string, options: AuthorizedOptions = {}): Promise<DeviceAnswer> {
    const { body, rest } = await this.#authorizedEnd(options, 'delete_device', deviceId);
    return this.#api.call(deleteDevice, { params: { id: deviceId }, body }, rest);
  }

  /** For the device's key that is removed; a device without one needs no authorization. */
  async #authorizedEnd(
    options: AuthorizedOptions,
    act: 'remove_key' | 'delete_device',
    deviceId: string,
  ): Promise<Authorized> {
    if (options.authorization || !this.#signer) return this.#authorized(options);
    for await (const { device_id, decision_key } of this.each({ limit: 100 }, withoutAuthorization(options)))
      if (device_id === deviceId && decision_key)
        return this.#authorized(options, { act, deviceId, thumbprint: decision_key.thumbprint });
    return this.#authorized(options);
  }

  /** With the given authorization, or one by the client's key. */
  async #authorized(options: AuthorizedOptions, change?: KeyChange): Promise<Authorized> {
    const rest = withoutAuthorization(options);
    if (options.authorization) return { body: { authorization: options.authorization }, rest };
    if (!this.#signer || !change) return { body: {}, rest };
    const { baseUrl } = this.#api.settings;
    return { body: { authorization: await authorizeChange(baseUrl, this.#signer, change) }, rest };
  }
}

interface Authorized {
  body: { authorization?: WalletAuthorization };
  rest: CallOptions;
}

function withoutAuthorization({ authorization: _, ...rest }: AuthorizedOptions): CallOptions {
  return rest;
}

/** A device token that its own rotation replaces. */
export interface DeviceCredential extends CallCredential {
  replace(token: string): void;
}

export function deviceCredential(first: string): DeviceCredential {
  let token = checkedToken(first, 'deviceToken');
  return {
    headers: () => ({ authorization: `Bearer ${token}` }),
    replace(next) {
      token = checkedToken(next, 'deviceToken');
    },
  };
}
