import type { Call, CallOptions } from './call.ts';
import type { Credential } from './credential.ts';
import { type Answered, request } from './request.ts';
import type { Settings } from './settings.ts';

/** A call before a client adds its credential. */
export type Operation<T> = Omit<Call, 'credential' | 'answer'> & { answer: readonly (keyof T & string)[] };

/** What the parts of a client call through: settings and credential are already decided. */
export interface Api {
  readonly settings: Settings;
  send<T>(operation: Operation<T>, options?: CallOptions): Promise<T>;
  exchange<T>(operation: Operation<T>, options?: CallOptions): Promise<Answered<T>>;
}

export function createApi(settings: Settings, credential?: Credential): Api {
  const exchange = <T>(operation: Operation<T>, options?: CallOptions) =>
    request<T>(settings, credential ? { ...operation, credential } : operation, options);
  return {
    settings,
    exchange,
    async send(operation, options) {
      return (await exchange(operation, options)).members;
    },
  };
}
