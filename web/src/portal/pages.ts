import type { ComponentType } from 'react';

/** One page of an area. `path` is below `/portal` and may have parameters, such as `/agents/:id`. */
export interface PortalPage {
  path: string;
  Page: ComponentType<{ params: PageParams }>;
}

export type PageParams = Readonly<Record<string, string | undefined>>;
