import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';

export type ApiKeyInput = BodyOf<typeof api.createApiKey>;
