/** The header in which the emulator tells the client why it refused a sender. */
export const CAUSE_HEADER = 'email-platform-cause';
