/** Every package whose code or types are in `dist`: the folder it is installed in, and its own package.json. */
export function bundledPackages(): {
  readonly folder: string;
  readonly manifest: { readonly name: string };
}[];
