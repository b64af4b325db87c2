/** Whether the package leaves out a file that its pages link to. */
export function isLeftOut(path: string): boolean;
