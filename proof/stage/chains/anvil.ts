import { readFile } from 'node:fs/promises';
import { checkEvmAddress } from '@payassent/protocol';
import { createContract, parseAbi } from 'micro-eth-signer/abi.js';
import { findAnvil, loadSolc } from '../../../scripts/chain-nodes.mjs';
import { asker, plainFetch, type RpcNode } from './look.ts';
import { startNode } from './node-process.ts';

const PROGRAM = findAnvil();

/** Tests that need it are left out, and listed as such, where it is not installed. */
export const HAS_ANVIL = PROGRAM !== undefined;

export interface Anvil extends RpcNode {
  /** Accounts with coins, in the form in which addresses are stored. */
  accounts: readonly string[];
  mine(blocks: number): Promise<void>;
  /** From the first account; returns the hash of a transaction that waits for a block. */
  send(transaction: { to?: string; value?: bigint; data?: string; gas?: bigint }): Promise<string>;
  deploy(name: 'Token' | 'Payer', ...words: bigint[]): Promise<string>;
}

/** A real EVM node that creates blocks only on request; its finalized block is two blocks behind the newest. */
export async function startAnvil(): Promise<Anvil> {
  const { url, stop: close } = await startNode(
    PROGRAM ?? 'anvil',
    (port) => ['--port', String(port), '--no-mining', '--silent', '--slots-in-an-epoch', '1'],
    (at) => asker(at, plainFetch)('eth_chainId'),
  );
  const ask = asker(url, plainFetch);
  const accounts = (await ask<string[]>('eth_accounts')).map(stored);
  const mine = async (blocks: number) => void (await ask('anvil_mine', hex(BigInt(blocks))));
  const send: Anvil['send'] = ({ to, value = 0n, data = '0x', gas = 3_000_000n }) =>
    ask('eth_sendTransaction', { from: accounts[0], to, value: hex(value), data, gas: hex(gas) });
  return {
    url,
    fetch: plainFetch,
    ask,
    close,
    accounts,
    mine,
    send,
    async deploy(name, ...words) {
      const data = `${await bytecodeOf(name)}${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`;
      const txHash = await send({ data });
      await mine(1);
      const receipt = await ask<{ contractAddress: string }>('eth_getTransactionReceipt', txHash);
      return stored(receipt.contractAddress);
    },
  };
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;

function stored(address: string): string {
  const check = checkEvmAddress(address.toLowerCase());
  if (!check.ok) throw new Error(check.reason);
  return check.address;
}

type Compiled = { contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>> };
let compiled: Compiled | undefined;

async function bytecodeOf(name: string): Promise<string> {
  compiled ??= JSON.parse(
    loadSolc().compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { all: { content: await readFile(new URL('contracts.sol', import.meta.url), 'utf8') } },
        settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
      }),
    ),
  ) as Compiled;
  const bytecode = compiled.contracts.all?.[name]?.evm.bytecode.object;
  if (!bytecode) throw new Error(`no ${name}: ${JSON.stringify(compiled).slice(0, 1000)}`);
  return `0x${bytecode}`;
}

const CALLS = createContract(
  parseAbi([
    'function transfer(address to, uint256 value) returns (bool)',
    'function payToken(address token, address to, uint256 first, uint256 second)',
    'function payCoins(address to) payable',
    'function refuse() payable',
  ]),
);

/** The data of a call to one of the contracts. */
export function callOf(method: 'transfer' | 'payToken' | 'payCoins' | 'refuse', input: unknown): string {
  const bytes = CALLS[method]?.encodeInput(input) ?? new Uint8Array();
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
