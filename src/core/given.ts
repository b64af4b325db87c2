/** Whether a field has a value: for the service, null counts as absent. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
