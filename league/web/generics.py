"""Django's classes that are generic to a type checker, and made subscriptable for Python.

`class Bots(ModelAdmin[Bot])` names the model of the rows. Django drops the parameter at run time.
"""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.contrib.auth import admin as auth_admin, forms as auth_forms
from django.contrib.syndication import views as syndication
from django.views import generic

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as ModelAdmin, TabularInline as TabularInline
    from django.contrib.auth.admin import UserAdmin as UserAdmin
    from django.contrib.auth.forms import SetPasswordForm as SetPasswordForm
    from django.contrib.syndication.views import Feed as Feed
    from django.forms import ModelForm as ModelForm
    from django.views.generic import FormView as FormView
else:

    def _subscriptable(django_class: type) -> type:
        """Return a subclass that takes type parameters and ignores them."""
        ignore = classmethod(lambda cls, _parameters: cls)
        return type(django_class)(
            django_class.__name__,
            (django_class,),
            {"__module__": __name__, "__class_getitem__": ignore},
        )

    ModelAdmin = _subscriptable(admin.ModelAdmin)
    TabularInline = _subscriptable(admin.TabularInline)
    UserAdmin = _subscriptable(auth_admin.UserAdmin)
    SetPasswordForm = _subscriptable(auth_forms.SetPasswordForm)
    Feed = _subscriptable(syndication.Feed)
    ModelForm = _subscriptable(forms.ModelForm)
    FormView = _subscriptable(generic.FormView)
