import { ApiError } from '../errors/api-error.ts';

/**
 * Waits for a call that ends the session it is made with. A 401 says that there is none any more, which is what was
 * wanted: above all when the first attempt ended it and only its answer was lost.
 */
export async function orEndedAlready(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 401) throw error;
  }
}
