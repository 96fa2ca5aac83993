/** Previous addresses of pages, so that existing links and bookmarks still work. */
export const MOVED = {
  '/docs/operations': '/docs/operators',
  '/docs/security-model': '/docs/security/model',
  '/docs/evidence': '/docs/auditors/payee-proof',
  '/docs/bench': '/docs/proof/bench',
  '/docs/growth': '/docs/proof/growth',
  '/docs/torture': '/docs/proof/torture',
  '/docs/drills': '/docs/proof/drills',
  '/docs/lighthouse': '/docs/proof/lighthouse',
  '/docs/decisions/0010-roles': '/docs/decisions/0016-roles',
};
