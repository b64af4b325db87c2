import { EmailPlatform } from 'email-platform';

try {
  new EmailPlatform();
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
