import type { Device } from '@payassent/protocol';
import {
  createLinkCode,
  createRecoveryCode,
  deleteDevice,
  listDevices,
  rotateDeviceToken,
  setDecisionKey,
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';
import type { DecisionKey, KeySignature, WebauthnAssertion } from './decisions.ts';
import type { DeviceCredential } from './device-credential.ts';

/** A device that is to be enrolled. */
export interface EnrolInput {
  /** What the user calls it. */
  name: string;
  /** For example `ios`. */
  platform?: string;
  /** Joins the wallet of the device that made this code. */
  link_code?: string;
  /** Joins the wallet that this code recovers; it is replaced by a new one. */
  recovery_code?: string;
  /** With `recovery_code`: ends every other device of the wallet in the same step. */
  revoke_others?: boolean;
}

/** Answer to an enrolment. */
export interface EnrolAnswer {
  /** The device and the wallet it belongs to. */
  device: Device;
  /** `svc_dt_…` */
  token: string;
  /** `svc_rc_…`; null after joining with a link code: the former one stays valid. */
  recovery_code: string | null;
  /** After a recovery: the other devices that had a right until then, with their status now. */
  other_devices?: Device[];
}

/** One page of devices. */
export interface DevicesPage extends Page {
  /** Newest first. */
  devices: Device[];
}

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
    return this.#api.call(listDevices, { query: { ...query } }, options);
  }

  /** All of the wallet's devices, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Device, void, undefined> {
    return eachRecord(this.#api, listDevices, 'devices', { query }, options);
  }

  /** Makes a one-time code with which another device joins this wallet. */
  createLinkCode(options: CallOptions = {}): Promise<{ link_code: string; expires_at: string }> {
    return this.#api.call(createLinkCode, {}, options);
  }

  /** Makes a new recovery code; the former one ends. Show it once and let the user keep it. */
  createRecoveryCode(options: CallOptions = {}): Promise<{ recovery_code: string }> {
    return this.#api.call(createRecoveryCode, {}, options);
  }

  /**
   * Replaces this device's own token. The client uses the new one from then on; store it before anything else, since its
   * first use ends the old one.
   */
  async rotateToken(options: CallOptions = {}): Promise<{ device: Device; token: string }> {
    if (this.#deviceId === undefined) throw new TypeError('deviceId is needed to rotate the token');
    const rotated = await this.#api.call(rotateDeviceToken, { params: { id: this.#deviceId } }, options);
    this.#credential.replace(rotated.token);
    return rotated;
  }

  /**
   * Sets or replaces the key with which this device signs its decisions. From then on every device of the wallet has to
   * sign what it approves or rejects. `proof` and `endorsement` sign `keyText(baseUrl, deviceId, key)`.
   */
  setDecisionKey(
    input: {
      /** The public key. */
      decision_key: DecisionKey;
      /** By the new key. */
      proof: string | { webauthn: WebauthnAssertion };
      /** By the key of another device of the wallet; needed when one has a key. */
      endorsement?: { device_id: string } & KeySignature;
    },
    options: CallOptions = {},
  ): Promise<{ device: Device }> {
    if (this.#deviceId === undefined) throw new TypeError('deviceId is needed to set the decision key');
    const { proof, ...rest } = input;
    const body = { ...rest, proof: typeof proof === 'string' ? proof : { ...proof } };
    return this.#api.call(setDecisionKey, { params: { id: this.#deviceId }, body }, options);
  }

  /** Removes a device. Removing the last one revokes the wallet's connections. */
  delete(deviceId: string, options: CallOptions = {}): Promise<{ device: Device }> {
    return this.#api.call(deleteDevice, { params: { id: deviceId } }, options);
  }
}
