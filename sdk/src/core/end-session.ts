import { ApiError } from '../errors/api-error.ts';
import type { Api } from './api.ts';
import type { CallOptions } from './call.ts';

/**
 * Ends the session that the client uses. A 401 says that there is none any more, which is what was wanted: above all
 * when the first attempt ended it and only its answer was lost.
 */
export async function endSession(api: Api, path: string, options: CallOptions): Promise<void> {
  try {
    await api.send<object>({ method: 'DELETE', path, answer: [] }, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
  }
}
