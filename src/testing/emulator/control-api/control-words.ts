// Written by test/testing/emulator/controls/control-words.test.ts from the docstrings: npm run test:unit -- test/testing/emulator/controls/control-words.test.ts -u

/** The effect of each control, by its name. */
export const CONTROL_WORDS: Readonly<Record<string, string>> = {
  'clock.now': 'Returns the current time of the emulator, in milliseconds since the Unix epoch.',
  'clock.isPaused': 'Whether the clock is paused.',
  'clock.advance': 'Advances the clock.',
  'clock.set': 'Advances the clock to a time.',
  'clock.pause': 'Lets the clock stand still: from now on only `advance` and `set` move it.',
  'clock.resume': 'Lets a paused clock go on, from the time that it shows.',
  'faults.next': 'Makes the next matching requests fail.',
  'faults.list': 'Returns the faults that have not been used up, in their order.',
  'faults.pause': 'Pauses a fault: requests pass it.',
  'faults.resume': 'Makes a paused fault apply again.',
  'faults.remove': 'Removes one fault.',
  'faults.clear': 'Removes every fault that has not been used.',
  requests: 'The most recent requests (at most 10,000), oldest first.',
  waitForRequests: 'Returns the requests that fit and have their responses, oldest first.',
  mark: 'Names the test that runs now: reports and the page show the name beside what follows.',
  reset: 'Restores the initial state: the seed and the clock, with no faults, no requests and unused limits.',
  snapshot:
    'Returns the state of the emulator, with its tokens and all emails: every area, the clock, the random streams, and the counts of the rate-limit windows.',
  restore: "Gives the emulator the state of a snapshot, its own or another emulator's.",
  'domains.add': 'Adds a domain, which is verified unless `verified` is `false`.',
  'domains.setVerified': 'Makes the DNS records of a domain pass or fail.',
  'domains.list': 'Returns every domain, of every account.',
  'campaigns.add': 'Adds a campaign that is ready to send, unless its fields say otherwise.',
  'campaigns.setState': 'Puts a campaign into any state, even one that no request leads to.',
  'campaigns.stateOf': 'Returns the current state of a campaign.',
  'sandbox.add': 'Adds a test inbox.',
  'sandbox.messages': 'Returns the emails that a test inbox captured, or those of every inbox, oldest first.',
  createToken:
    "Creates another API token: with less access (`'none'`, `'viewer'` or `'admin'` for each area), for some domains only, or for another account.",
  organizationId: 'The id of the organization that the account of `clientOptions` belongs to.',
  setBilling: "Sets whether the account's billing allows campaigns to be sent: `'exceeded'` prevents it.",
  'templates.add': 'Adds a template, also one that was made in the visual editor.',
  'templates.replace':
    'Replaces the templates from folders, as after a change of their files: a template of the same folder keeps its id, and one whose folder is gone is removed.',
  messages:
    'Returns the accepted emails that fit, sent or captured: one message for each recipient, oldest first.',
  unsubscribe: 'Unsubscribes the recipient of an email.',
  waitForMessages: 'Returns the accepted emails that fit, oldest first, as soon as there is one.',
  'logs.add': 'Adds a message to the log as if it had been sent, now or at another time.',
  'logs.addMany': 'Adds many messages to the log.',
  'webhooks.signatureHeader': 'The name of the header with the signature.',
  'webhooks.posts': 'The most recent posts (at most 10,000), oldest first.',
  'webhooks.settled': 'Resolves when every post that is due has been made and its response has arrived.',
  'webhooks.flush':
    'Posts the events that have happened up to now, without the 30 seconds of the clock in which they are gathered.',
  'webhooks.redeliver': 'Makes a post once more, with the same body, and returns it with its response.',
  'webhooks.emit':
    'Adds an event to every webhook of a type, such as an event of the audit log, which the emulator does not write itself.',
  'inbound.add': 'Adds an inbox in a new folder, hosted by the service.',
  'inbound.receive': 'Delivers an email to one or more inboxes.',
};
