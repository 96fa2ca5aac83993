import type {
  DecisionKeyChange,
  Device,
  DeviceAnswer,
  DevicesPage,
  DeviceWithToken,
  LinkCode,
  PageQuery,
  PushKey,
  PushSubscriptionInput,
  RecoveryCode,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import {
  createLinkCode,
  createRecoveryCode,
  deleteDevice,
  deletePushSubscription,
  getPushKey,
  listDevices,
  rotateDeviceToken,
  setDecisionKey,
  setPushSubscription,
} from '../operations.ts';
import type { DeviceCredential } from './device-credential.ts';

/** The wallet's devices. */
export class WalletDevices {
  readonly #api: Api;
  readonly #credential: DeviceCredential;
  readonly #deviceId: string | undefined;

  /** Made by `WalletClient`. */
  constructor(api: Api, credential: DeviceCredential, deviceId: string | undefined) {
    this.#api = api;
    this.#credential = credential;
    this.#deviceId = deviceId;
  }

  /** One page of the wallet's devices. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<DevicesPage> {
    return this.#api.call(listDevices, { query }, options);
  }

  /** All of the wallet's devices, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Device, void, undefined> {
    return eachRecord(this.#api, listDevices, 'devices', { query }, options);
  }

  /** Makes a one-time code with which another device joins this wallet. */
  createLinkCode(options: CallOptions = {}): Promise<LinkCode> {
    return this.#api.call(createLinkCode, {}, options);
  }

  /** Makes a new recovery code; the former one ends. Show it once and let the user keep it. */
  createRecoveryCode(options: CallOptions = {}): Promise<RecoveryCode> {
    return this.#api.call(createRecoveryCode, {}, options);
  }

  /**
   * Replaces this device's own token. The client uses the new one from then on; store it before anything else, since its
   * first use ends the old one.
   */
  async rotateToken(options: CallOptions = {}): Promise<DeviceWithToken> {
    const params = this.#own('to rotate the token');
    const rotated = await this.#api.call(rotateDeviceToken, { params }, options);
    this.#credential.replace(rotated.token);
    return rotated;
  }

  /**
   * Sets or replaces the key with which this device signs its decisions. From then on every device of the wallet has to
   * sign what it approves or rejects. `proof` and `endorsement` sign `keyText(baseUrl, deviceId, key)`.
   */
  setDecisionKey(input: DecisionKeyChange, options: CallOptions = {}): Promise<DeviceAnswer> {
    const params = this.#own('to set the decision key');
    return this.#api.call(setDecisionKey, { params, body: input }, options);
  }

  /** What a browser subscribes with: `pushManager.subscribe({ applicationServerKey })`. */
  pushKey(options: CallOptions = {}): Promise<PushKey> {
    return this.#api.call(getPushKey, {}, options);
  }

  /** Rings this device when something waits for the wallet. Messages say `{kind, waiting}` and nothing else. */
  setPush(subscription: PushSubscriptionInput, options: CallOptions = {}): Promise<DeviceAnswer> {
    const params = this.#own('to ring it');
    return this.#api.call(setPushSubscription, { params, body: subscription }, options);
  }

  /** Rings this device no longer. */
  deletePush(options: CallOptions = {}): Promise<DeviceAnswer> {
    return this.#api.call(deletePushSubscription, { params: this.#own('to silence it') }, options);
  }

  #own(why: string): { id: string } {
    if (this.#deviceId === undefined) throw new TypeError(`deviceId is needed ${why}`);
    return { id: this.#deviceId };
  }

  /** Removes a device. Removing the last one revokes the wallet's connections. */
  delete(deviceId: string, options: CallOptions = {}): Promise<DeviceAnswer> {
    return this.#api.call(deleteDevice, { params: { id: deviceId } }, options);
  }
}
