import unittest

from authorization_server import storage
from authorization_server.storage import ExpiringStore


class ExpiringStoreTest(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 0.0
        self.store: ExpiringStore[str] = ExpiringStore(10, lambda: self.now)

    def test_values_expire(self) -> None:
        self.store.put("key", "value")
        self.now = 9.9
        self.assertEqual(self.store.get("key"), "value")
        self.now = 10
        self.assertIsNone(self.store.get("key"))
        self.assertIsNone(self.store.take("key", lambda _: True))

    def test_a_value_is_taken_once_by_whom_it_is_meant_for(self) -> None:
        self.store.put("key", "value")
        self.assertIsNone(self.store.take("key", lambda value: value == "other"))
        self.assertEqual(self.store.take("key", lambda value: value == "value"), "value")
        self.assertIsNone(self.store.get("key"))

    def test_the_oldest_make_room(self) -> None:
        for number in range(storage.MAX_ENTRIES + 1):
            self.store.put(str(number), "value")
        self.assertIsNone(self.store.get("0"))
        self.assertEqual(self.store.get("1"), "value")
