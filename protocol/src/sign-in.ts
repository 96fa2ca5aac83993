/** How many sign-in links one mailbox gets within an hour at the request of one network: it protects the mailbox. */
export const LINKS_PER_HOUR = 5;
