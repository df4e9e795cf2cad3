/** The name of an invited user until they enter theirs: what stands before the @, where that is a name by the contract. */
export function provisionalName(email: string): string {
  const [local = ""] = email.split("@");
  return (local.length < 2 ? email : local).slice(0, 50);
}
