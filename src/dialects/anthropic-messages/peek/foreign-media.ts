/** Where other formats put media. A provider that takes them in a Messages request reads what this gateway cannot judge. */
export const foreignMediaKeys: readonly string[] = [
  ...['image_url', 'video_url', 'file_url', 'document_url', 'audio_url', 'input_audio', 'input_image', 'input_file'],
  ...['file_data', 'inline_data', 'inlineData'],
];
