/** The header in which the emulator says why it refused a sender. Its body, as that of the service, does not. */
export const CAUSE_HEADER = 'email-platform-cause';
