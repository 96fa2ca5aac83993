/** Far above the largest page the service sends: a server that never stops must not fill the memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export class AnswerTooLarge extends Error {}

/** The body as text, byte by byte within the limit. What is not UTF-8 becomes U+FFFD and fails as JSON later. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new AnswerTooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}
