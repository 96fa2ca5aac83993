import { describe, expect, it } from 'vitest';
import * as enumerations from './enumerations.ts';
import * as eventTypes from './event-types.ts';

/** Written down a second time, from the specification and the contract. */
const LISTS: Record<string, string> = {
  RAILS:
    'stellar_xlm, solana_sol, ethereum_eth, base_usdc, bitcoin_btc, bsc_bnb, xrpl_xrp, arbitrum_eth, polygon_pol, avalanche_avax, optimism_eth, sui_sui, aptos_apt, ton_ton, cardano_ada, cosmos_atom, polkadot_dot, hedera_hbar, cronos_cro, mantle_mnt, starknet_strk, zksync_eth, linea_eth, algorand_algo, tezos_xtz, internet_computer_icp, filecoin_fil, litecoin_ltc, bitcoin_cash_bch, dogecoin_doge, evm_erc20',
  NETWORKS:
    'stellar_public, solana_mainnet, ethereum_mainnet, base_mainnet, bitcoin_mainnet, bsc_mainnet, xrpl_mainnet, arbitrum_one, polygon_pos, avalanche_c_chain, optimism_mainnet, sui_mainnet, aptos_mainnet, ton_mainnet, cardano_mainnet, cosmos_hub, polkadot_mainnet, hedera_mainnet, cronos_mainnet, mantle_mainnet, starknet_mainnet, zksync_era, linea_mainnet, algorand_mainnet, tezos_mainnet, internet_computer, filecoin_mainnet, litecoin_mainnet, bitcoin_cash_mainnet, dogecoin_mainnet, stellar_testnet',
  SCOPES:
    'payment.requests.create, payment.requests.read, transaction_contexts.create, transaction_contexts.read',
  PAYMENT_REQUEST_STATUSES: 'pending, signed, broadcasted, confirmed, failed, expired, rejected',
  CONNECT_KEY_STATUSES: 'issued, used, withdrawn, expired',
  WEBHOOK_ENDPOINT_STATUSES: 'pending_verification, active, disabled',
  WEBHOOK_DELIVERY_STATUSES: 'pending, delivered, failed, cancelled',
  AUTOMATION_POLICY_STATUSES: 'draft, active, paused, expired, revoked',
  POLICY_THRESHOLDS: 'single_tx_limit, cumulative_limit, validity_window, allowlist',
  RECIPIENT_VERSION_STATUSES: 'created, verified, active, superseded',
};

describe('enumerations', () => {
  it.each(Object.entries(LISTS))('%s is the published list in its order', (name, list) => {
    expect(Object.entries(enumerations).find(([key]) => key === name)?.[1]).toEqual(list.split(', '));
  });

  it('contain nothing twice', () => {
    for (const [name, list] of Object.entries({ ...enumerations, ...eventTypes })) {
      if (Array.isArray(list)) expect(new Set(list).size, name).toBe(list.length);
    }
  });

  it('recognise their members and nothing else', () => {
    expect(enumerations.isNetwork('stellar_testnet')).toBe(true);
    expect(enumerations.isScope('payment.requests.read')).toBe(true);
    for (const other of ['STELLAR_TESTNET', '', null, 1, ['stellar_testnet']]) {
      expect(enumerations.isNetwork(other)).toBe(false);
      expect(enumerations.isScope(other)).toBe(false);
    }
  });
});

describe('event types', () => {
  it('are exactly those that webhooks send', () => {
    const families = {
      payment_request: 'created,signed,broadcasted,confirmed,failed,expired,rejected,settlement_updated',
      connection: 'created,paused,resumed,revoked',
      recipient: 'version_activated',
      agent_payment:
        'created,signed,broadcasted,confirmed,failed,expired,rejected,cancelled,settlement_updated',
      automation_policy: 'created,updated,activated,paused,resumed,expired,revoked',
    };
    const expected = Object.entries(families).flatMap(([family, acts]) =>
      acts.split(',').map((act) => `${family}.${act}`),
    );
    expect(eventTypes.WEBHOOK_EVENT_TYPES).toEqual(expected);
  });

  it('have one polled event for every status a payment request can move to, and one for the settlement', () => {
    const moved = enumerations.PAYMENT_REQUEST_STATUSES.filter((status) => status !== 'pending');
    expect(eventTypes.PAYMENT_REQUEST_EVENT_TYPES).toEqual(
      [...moved, 'settlement_updated'].map((change) => `payment_request.${change}`),
    );
  });

  it('can be subscribed exactly, by family or all together', () => {
    const wants = (subscriptions: string[]) =>
      eventTypes.webhookWants(subscriptions, 'payment_request.signed');
    for (const subscription of ['*', 'payment_request.*', 'payment_request.signed'])
      expect(wants([subscription])).toBe(true);
    for (const subscription of [
      'payment_request.failed',
      'connection.*',
      'payment_request',
      'payment.*',
      '',
    ]) {
      expect(wants([subscription]), subscription).toBe(false);
    }
    expect(wants([])).toBe(false);
    expect(wants(['connection.*', 'payment_request.signed'])).toBe(true);
  });

  it('refuse subscriptions to what is never sent', () => {
    for (const good of ['*', 'agent_payment.*', 'recipient.version_activated']) {
      expect(eventTypes.isWebhookSubscription(good)).toBe(true);
    }
    for (const bad of [
      'webhook.verification',
      'webhook.*',
      'payment_request.*.*',
      '**',
      'PAYMENT_REQUEST.*',
      3,
    ]) {
      expect(eventTypes.isWebhookSubscription(bad)).toBe(false);
    }
  });

  it('of the audit begin with the type of their target, and every target has one', () => {
    for (const type of eventTypes.AUDIT_EVENT_TYPES)
      expect(eventTypes.AUDIT_TARGET_TYPES).toContain(type.split('.')[0]);
    for (const target of eventTypes.AUDIT_TARGET_TYPES) {
      expect(
        eventTypes.AUDIT_EVENT_TYPES.some((type) => type.startsWith(`${target}.`)),
        target,
      ).toBe(true);
    }
  });
});
