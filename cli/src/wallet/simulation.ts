import { setTimeout as sleep } from 'node:timers/promises';
import type { WalletClient } from '@payassent/sdk';
import type { Transfer } from '../dev/chain.ts';
import type { Output, Paint } from '../output.ts';
import type { Decider, Manner } from './decider.ts';
import type { SignShown } from './decision-key.ts';

/** A wallet that moves nothing: what it needs to act like one. */
export interface Simulation {
  wallet: WalletClient;
  output: Output;
  paint: Paint;
  decider: Decider;
  /** How payments are decided. */
  manner: Manner;
  /** Without it nothing dangerous is approved unless a person types its amount. */
  approvesDangerous: boolean;
  /** How connections are decided. */
  connections: Manner;
  reasonCode: string;
  /** Where the device has a decision key. */
  sign: SignShown | undefined;
  /** Before every step. */
  slowMs: number;
  crashAfterSigning: boolean;
  /** Only in a dev world there is a chain that has what is simulated. */
  send(hash: string, transfer: Transfer): Promise<void>;
  /** Ends the process as a power cut would. */
  crash(): void;
  signal: AbortSignal;
}

/** Before every step, when the simulation is slow. */
export async function pause({ slowMs, signal }: Simulation): Promise<void> {
  if (slowMs > 0) await sleep(slowMs, undefined, { signal });
}
