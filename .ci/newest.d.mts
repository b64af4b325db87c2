/** An install line of a guide. */
export interface InstallLine {
  readonly file: string;
  readonly line: number;
  readonly packages: readonly string[];
  readonly peers: readonly string[];
  readonly isApplication: boolean;
}
export function installLines(file: string, markdown: string): InstallLine[];
export function brokenBy(
  line: Pick<InstallLine, 'packages'>,
  commands: {
    readonly install: (some: readonly string[]) => boolean;
    readonly passes: () => boolean;
    readonly restore: () => void;
  },
): readonly string[];
export function installsIn(
  packages: readonly { readonly name: string; readonly folder: string; readonly version: string }[],
): readonly (readonly [folder: string, names: readonly string[]])[];
export function reportOf(results: readonly (InstallLine & { readonly broken: readonly string[] })[]): string;
