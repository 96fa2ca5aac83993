/** As a download of the browser: nothing leaves the page. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the content by then; the object URL must not outlive it.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
