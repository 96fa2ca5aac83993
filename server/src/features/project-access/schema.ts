import type * as api from '@countersign/protocol/api';
import type { BodyOf } from '@countersign/protocol/api';

export type ApiKeyInput = BodyOf<typeof api.createApiKey>;
