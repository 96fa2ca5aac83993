import { describe, expect, it } from 'vitest';
import { NETWORKS } from '../enumerations.ts';
import { deriveFacts, type FactsInput } from './derive.ts';
import { BASE_USDC_CONTRACT } from './derive-asset.ts';
import { networkRow } from './table.ts';

const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const EVM = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const stellar: FactsInput = { network: 'stellar_testnet', asset: 'XLM', address: STELLAR };
const ethereum: FactsInput = { network: 'ethereum_mainnet', asset: 'ETH', address: EVM };
const baseUsdc: FactsInput = { network: 'base_mainnet', asset: 'USDC', address: EVM };
const token: FactsInput = { ...ethereum, asset: 'DAI', contract: TOKEN, decimals: 18 };

/** Field and code of every issue, or an empty list. */
function problems(input: FactsInput): string[] {
  const derivation = deriveFacts(input);
  return derivation.ok ? [] : derivation.issues.map((issue) => `${issue.field} ${issue.code}`);
}

function facts(input: FactsInput) {
  const derivation = deriveFacts(input);
  if (!derivation.ok) throw new Error(JSON.stringify(derivation.issues));
  return derivation.facts;
}

describe('native assets', () => {
  it('completes XLM on the testnet', () => {
    expect(facts({ ...stellar, memo: 'INV-7' })).toEqual({
      rail: 'stellar_xlm',
      network: 'stellar_testnet',
      asset: 'XLM',
      address: STELLAR,
      memo: 'INV-7',
      contract: null,
      issuer: null,
      decimals: 7,
      chain_id: null,
    });
  });

  it('completes ETH and stores the address in EIP-55 form', () => {
    expect(facts({ ...ethereum, address: EVM.toLowerCase() })).toEqual({
      rail: 'ethereum_eth',
      network: 'ethereum_mainnet',
      asset: 'ETH',
      address: EVM,
      memo: null,
      contract: null,
      issuer: null,
      decimals: 18,
      chain_id: 1,
    });
  });

  it('compares the symbol exactly on every network', () => {
    for (const network of NETWORKS.filter((value) => !value.startsWith('stellar'))) {
      const asset = networkRow(network).nativeAsset.toLowerCase();
      expect(problems({ network, asset, address: 'x' }), network).toContain('asset unsupported_asset');
    }
  });

  it('gives an asset without a rail unsupported_asset', () => {
    expect(problems({ ...ethereum, asset: 'USDC' })).toEqual(['asset unsupported_asset']);
    expect(problems({ ...ethereum, network: 'base_mainnet' })).toEqual(['asset unsupported_asset']);
    expect(
      problems({ network: 'solana_mainnet', asset: 'USDC', address: '11111111111111111111111111111111' }),
    ).toEqual(['asset unsupported_asset']);
  });

  it('accepts decimals and chain id that agree and refuses those that do not', () => {
    expect(problems({ ...ethereum, decimals: 18, chain_id: 1 })).toEqual([]);
    expect(problems({ ...ethereum, decimals: 6, chain_id: 8453 })).toEqual([
      'decimals fact_mismatch',
      'chain_id fact_mismatch',
    ]);
    expect(problems({ ...stellar, decimals: 7 })).toEqual([]);
    expect(problems({ ...stellar, decimals: 0, chain_id: 0 })).toEqual([
      'decimals fact_mismatch',
      'chain_id fact_mismatch',
    ]);
  });

  it('counts null as left out', () => {
    expect(
      problems({ ...ethereum, memo: null, contract: null, issuer: null, decimals: null, chain_id: null }),
    ).toEqual([]);
  });
});

describe('issued assets on Stellar', () => {
  it('keeps code and issuer on the rail of XLM', () => {
    expect(facts({ ...stellar, asset: 'USDC', issuer: ISSUER })).toMatchObject({
      rail: 'stellar_xlm',
      asset: 'USDC',
      issuer: ISSUER,
      decimals: 7,
    });
  });

  it('needs a valid issuer', () => {
    expect(problems({ ...stellar, asset: 'USDC' })).toEqual(['issuer required']);
    expect(problems({ ...stellar, asset: 'xlm' })).toEqual(['issuer required']);
    expect(problems({ ...stellar, asset: 'USDC', issuer: `${ISSUER.slice(0, -1)}A` })).toEqual([
      'issuer address_invalid',
    ]);
    expect(problems({ ...stellar, asset: 'USDC', issuer: MUXED })).toEqual(['issuer address_invalid']);
    expect(problems({ ...stellar, asset: 'USDC', issuer: '' })).toEqual(['issuer address_invalid']);
  });

  it('refuses an issuer for XLM, which would be another asset under its name', () => {
    expect(problems({ ...stellar, issuer: ISSUER })).toEqual(['issuer unsupported_asset']);
  });

  it('takes codes of 1 to 12 letters and digits', () => {
    for (const asset of ['A', 'yUSDC', 'ABCDEFGHIJ12']) {
      expect(problems({ ...stellar, asset, issuer: ISSUER }), asset).toEqual([]);
    }
    for (const asset of ['', 'ABCDEFGHIJ123', 'US-DC', 'US DC', 'ÜSDC', 'USDС']) {
      expect(problems({ ...stellar, asset, issuer: ISSUER }), asset).toEqual(['asset invalid_format']);
    }
  });
});

describe('tokens on EVM networks', () => {
  it('takes the rail evm_erc20 and stores the contract in EIP-55 form', () => {
    expect(facts({ ...token, contract: TOKEN.toLowerCase() })).toMatchObject({
      rail: 'evm_erc20',
      asset: 'DAI',
      contract: TOKEN,
      decimals: 18,
      chain_id: 1,
    });
    expect(facts({ ...token, decimals: 0 }).decimals).toBe(0);
    expect(facts({ ...token, asset: 'USD₮0' }).asset).toBe('USD₮0');
  });

  it('needs the decimals of the contract', () => {
    expect(problems({ ...token, decimals: null })).toEqual(['decimals required']);
    for (const decimals of [-1, 256, 1.5, Number.NaN]) {
      expect(problems({ ...token, decimals })).toEqual(['decimals out_of_range']);
    }
  });

  it('refuses a contract with a wrong checksum', () => {
    expect(problems({ ...token, contract: `${TOKEN.slice(0, -1)}D` })).toEqual(['contract address_invalid']);
  });

  it('refuses the name of the coin itself, spaces and invisible characters', () => {
    expect(problems({ ...token, asset: 'ETH' })).toEqual(['asset unsupported_asset']);
    for (const asset of ['', 'D AI', 'DAI\u200b', '\u202eIAD', 'DAI\n']) {
      expect(problems({ ...token, asset }), asset).toEqual(['asset invalid_format']);
    }
    expect(problems({ ...token, asset: 'X'.repeat(33) })).toEqual(['asset too_long']);
  });

  it('refuses contract and issuer where the network has neither', () => {
    expect(problems({ ...stellar, contract: TOKEN })).toEqual(['contract unsupported_asset']);
    expect(
      problems({
        network: 'bitcoin_mainnet',
        asset: 'BTC',
        address: '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo',
        contract: TOKEN,
        issuer: ISSUER,
      }),
    ).toEqual(['contract unsupported_asset', 'issuer unsupported_asset']);
    expect(problems({ ...token, issuer: ISSUER })).toEqual(['issuer unsupported_asset']);
  });
});

describe('USDC on Base', () => {
  const complete = { rail: 'base_usdc', contract: BASE_USDC_CONTRACT, decimals: 6, chain_id: 8453 };

  it('fills in the contract or accepts it in any spelling', () => {
    expect(facts(baseUsdc)).toMatchObject(complete);
    expect(facts({ ...baseUsdc, contract: BASE_USDC_CONTRACT, decimals: 6 })).toMatchObject(complete);
    expect(facts({ ...baseUsdc, contract: BASE_USDC_CONTRACT.toLowerCase() })).toMatchObject(complete);
  });

  it('refuses another contract under its name and its contract under another name', () => {
    expect(problems({ ...baseUsdc, contract: TOKEN })).toEqual(['contract unsupported_asset']);
    expect(problems({ ...baseUsdc, asset: 'usdc', contract: BASE_USDC_CONTRACT, decimals: 6 })).toEqual([
      'asset unsupported_asset',
    ]);
  });

  it('refuses other decimals', () => {
    expect(problems({ ...baseUsdc, decimals: 18 })).toEqual(['decimals fact_mismatch']);
  });

  it('leaves other tokens on Base, and USDC elsewhere, to evm_erc20', () => {
    expect(facts({ ...baseUsdc, asset: 'DAI', contract: TOKEN, decimals: 18 }).rail).toBe('evm_erc20');
    expect(facts({ ...token, asset: 'USDC', decimals: 6 }).rail).toBe('evm_erc20');
  });
});

describe('memos of payees', () => {
  it('follows the rule of the network', () => {
    expect(problems({ ...stellar, memo: 'x'.repeat(29) })).toEqual(['memo too_long']);
    expect(problems({ ...ethereum, memo: 'INV-7' })).toEqual(['memo invalid_format']);
    expect(
      problems({
        network: 'xrpl_mainnet',
        asset: 'XRP',
        address: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
        memo: 'x',
      }),
    ).toEqual(['memo invalid_format']);
  });

  it('refuses a memo next to a muxed address, which already carries an id', () => {
    expect(problems({ ...stellar, address: MUXED })).toEqual([]);
    expect(problems({ ...stellar, address: MUXED, memo: 'INV-7' })).toEqual(['memo invalid_format']);
  });
});

describe('issues', () => {
  it('are all reported together, in the order of the fields', () => {
    expect(
      problems({
        network: 'stellar_public',
        asset: 'TOO-LONG-A-CODE',
        address: 'nowhere',
        memo: 'x'.repeat(29),
        contract: TOKEN,
        decimals: 2,
        chain_id: 1,
      }),
    ).toEqual([
      'asset invalid_format',
      'address address_invalid',
      'memo too_long',
      'contract unsupported_asset',
      'issuer required',
      'decimals fact_mismatch',
      'chain_id fact_mismatch',
    ]);
  });

  it('name the network when it is unknown', () => {
    expect(problems({ ...stellar, network: 'bitcoin_testnet' })).toEqual(['network invalid_enum']);
  });

  it('are sentences for a person', () => {
    const derivation = deriveFacts({ ...ethereum, address: '0x12', asset: 'x', memo: 'm', chain_id: 5 });
    if (derivation.ok) throw new Error('expected issues');
    for (const issue of derivation.issues) expect(issue.message).toMatch(/^[A-Z].+\.$/);
  });
});
